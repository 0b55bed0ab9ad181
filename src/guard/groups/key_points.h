// The points at which a group key is looked at to find all its values: combinations of what the columns that it reads
// can hold, also where these are of several tables.
//
// A column of a protected table has points of its own, whatever else is in a row: its public values, or one in each
// cell of its range in which the key does not change, and NULL. The columns of a public table, or of a subquery that is
// run by itself, have those that they have together in one of its rows, and are all NULL besides where a row may find
// none. Conditions that hold for every row that counts leave points out.
#pragma once

#include <cstdint>
#include <optional>

#include "guard/query/public_rows.h"
#include "guard/relations/from_clause.h"

namespace dp::guard {

struct KeyPart;

// More are not looked at.
inline constexpr std::int64_t kMostKeyPoints = 200'000;

// While planning.
struct KeyPoints {
  List* columns;     // Var: of the key and of the conditions, as they are the columns 1, 2, ... of a point
  List* parts;       // what points are made of, as a plan can hold it
  List* conditions;  // Node: those that read several parts, over a point
};

// Nothing where a column has no points. `conditions` (a list; all hold for every row that counts) as they run.
std::optional<KeyPoints> points_of_key(Node* key, const Sources& sources, List* conditions);

// The expression over a point, in which its columns are those of the range-table index 1; nullptr where it reads
// something else.
Node* over_point(Node* expression, List* columns);

// Whether the parts are public for that role, too; and whether they are the rows of a subquery.
bool are_public(List* parts, Oid asker);
bool are_of_subqueries(List* parts);

// In one execution: the points, one after the other.
class Points {
 public:
  // `columns`: Var, of a point. `rows`: of the subqueries that are run by themselves. `signs`: a column that may be a
  // floating-point zero may be one with a sign, which some functions of it show, such as f::text.
  Points(List* columns, List* parts, Oid asker, const PublicRows* rows, EState* estate, bool signs);

  // False where a column's values are public no longer.
  bool are_there() const { return are_there_; }

  // How many there are; of more than kMostKeyPoints it is only known that they are.
  std::int64_t combinations() const;

  // The same. Raises DP002 where there are more; `key` is what a message calls the key.
  std::int64_t count(const char* key) const;

  // The row that holds a point; the caller drops it.
  TupleTableSlot* new_row() const;
  void fill(TupleTableSlot* row, std::int64_t point) const;

 private:
  // What one part has.
  struct Part {
    int first;  // of its columns in a point, from 0
    int width;
    std::int64_t count;
    NullableDatum* values;  // of the first of its points, then of the second, ...
  };

  bool add(const KeyPart& part, int first, Oid asker, const PublicRows* rows, EState* estate);

  bool signs_;
  TupleDesc shape_;
  int size_ = 0;
  Part* part_;
  bool are_there_ = true;
};

}  // namespace dp::guard
