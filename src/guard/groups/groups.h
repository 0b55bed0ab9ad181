// Which groups of an inner query are shown, so that no group tells by its presence that a row is there.
//
// A key is public where its domain is known: declared by dp.public_values, boolean, enum, or a foreign key to a table
// of the same owner that the asker may read. Where all keys of a grouping set are public, every combination of their
// values that the conditions on these keys let through is shown, empty ones as an answer to no rows, and no other is.
// Keys that depend on each other (joint_keys.h) count together: of them only those combinations are there that a row
// can have. Otherwise a group is shown if a private test on its number of rows says so; the test is charged once for
// each such grouping set. So it is where there are too many combinations and the table's policy pays for the test.
#pragma once

#include <optional>
#include <variant>

#include "budget/policy/accounts.h"
#include "budget/policy/domains.h"
#include "core/accounting/loss.h"
#include "core/mechanism/group_selection.h"
#include "guard/query/private_query.h"
#include "guard/query/public_rows.h"
#include "guard/query/value_bytes.h"

namespace dp::guard {

struct JointKeys;
class Points;

// How many values the key has at least; -1 where it is not public. Reads no values.
int size_of_domain(const GroupKey& key);

// Raises DP002 where the values of the key are declared, but what its expression is depends on a setting of the
// session.
void require_settled(const GroupKey& key, Node* expression);

// Combinations of values of keys that one statement may ask for.
inline constexpr std::int64_t kMostGroups = 1'000'000;

// Whether there may be more, by what is known while planning: then rows are counted for a choice of them.
bool may_be_too_many(const InnerQuery& inner_query);

class Groups {
 public:
  // `selection`: what the private test may spend, by the table's policy. Raises DP002 where the test is needed and the
  // policy has none, or where there are too many groups as far as is known. In the current memory context, for as long
  // as the plan.
  Groups(const InnerQuery& inner_query, const budget::Amount& selection);

  // Before the first row: reads the domains of the keys and leaves out the combinations that the conditions exclude.
  // `asker`: whose permissions hold where no view names a table; `rows`: of the subqueries that are run by themselves.
  // `may_choose`: what it costs is not settled yet, so groups of which there are too many may be chosen privately. Raises
  // DP002 where there are too many groups or a role may not read the values, 40001 where the values are public no longer.
  void load(const InnerQuery& inner_query, Oid asker, const PublicRows* rows, EState* estate, bool may_choose);

  // Called in place of load() where nothing is to run: the plan may have been made for another role, for whom the keys
  // are public.
  void require_public(const InnerQuery& inner_query, Oid asker) const;

  // Appends which groups there are, before conditions on keys exclude some: keys, all their public values, how these
  // depend on each other, grouping sets, and the price of a private choice. Different groups make different bytes.
  // After load().
  void write_contents(StringInfo bytes) const;

  // What the private tests cost.
  budget::Cost cost() const { return are_public() ? budget::Cost() : budget::Cost::pure(selection_).times(tested_); }

  // Whether all groups are known beforehand: none is chosen.
  bool are_public() const { return tested_ == 0; }

  // What one of them may spend.
  const budget::Amount& selection() const { return selection_; }

  // Of so many privacy units, which are in no other group, about every second group is shown that is chosen privately;
  // where any is.
  std::uint64_t even_chance() const;

  // Of a question with one grouping set whose groups are public: how many combinations of keys there are, which of them
  // a row of the node is of (-1: none that is shown), its keys, into a row, and how many values a key has. After load().
  std::int64_t combinations() const { return set_[0].size; }
  std::int64_t place_of(const TupleTableSlot* row) const;
  std::int64_t place_of(const NullableDatum* keys) const;

  // Lets workers of a parallel plan find the same by the values of the keys (sent_groups.h). False where they cannot.
  bool send_keys(ParamListInfo values) const;
  std::int64_t values_of(int key) const { return key_[key].size(); }
  bool is_shown(std::int64_t combination) const { return set_[0].seen[combination] != kExcluded; }
  void fill(TupleTableSlot* row, std::int64_t combination) const { fill(row, set_[0], combination); }

  // Whether groups without rows are shown.
  bool adds_missing() const { return public_sets_ > 0; }

  // Whether the group of this row of the inner query is shown. Called once for each row. If it is, its keys get the
  // form in which they are shown: equal values look the same, so that nothing tells which form a row holds (1.0 or
  // 1.00).
  bool lets_pass(TupleTableSlot* row);

  // Calls visit(combination) for each group that is to be shown and has no rows; `row` then holds its keys.
  template <class Visit>
  void visit_missing(TupleTableSlot* row, Visit visit);

 private:
  struct Key {
    Oid type;
    bool is_public;
    int least;       // how many values it has at least, before they are read
    bool with_null;  // NULL belongs to the domain, as its last value
    bool depends;    // on others: it is not counted by itself
    budget::Domain domain;
    FmgrInfo compare;
    Oid collation;

    int size() const { return (domain.values == nullptr ? least : domain.size) + with_null; }
    int find(Datum value, bool is_null) const;  // -1: outside
  };
  // A key, or several that depend on each other.
  struct Dimension {
    int width;
    const int* keys;    // their numbers, ascending
    std::int64_t size;  // how many values they have together
    const int* tuples;  // of each the places of its keys among their values, ascending; nullptr: all of the one key
    const int* tuple(std::int64_t value) const { return tuples + value * width; }
    std::int64_t find(const int* places) const;  // -1: they have no such values together
  };
  struct Set {
    int32 mask;  // of GROUPING(): the keys that are not in it
    int times;   // how often the query names it
    bool is_public;
    int dimensions;
    Dimension* dimension;
    std::int64_t
        size;  // combinations, one value of each dimension; of more than kMostGroups it is only known that they are
    // How often each combination came, at most as often as there are grouping sets (4096); or kExcluded.
    std::uint16_t* seen;
  };

  static constexpr std::uint16_t kExcluded = 0xffff;

  void settle_sizes(const InnerQuery& inner_query, bool may_choose);
  void make_test(const InnerQuery& inner_query);
  void exclude(const InnerQuery& inner_query, EState* estate);
  std::optional<budget::Domain> domain_in_rows(const GroupKey& described, Key* key, const PublicRows& rows,
                                               EState* estate);
  int* places_at(const JointKeys& joint, const Points& points, std::int64_t count, EState* estate) const;
  int* places_in(const JointKeys& joint, EState* estate) const;
  void add_dimension(Set* set, const JointKeys& joint, const int* places, std::int64_t count);
  void add_other_keys(Set* set);
  void add_dimensions(const InnerQuery& inner_query, Oid asker, const PublicRows* rows, EState* estate);
  std::int64_t size_of(const Set& set) const;
  bool has(const Set& set, int key) const { return set.mask == 0 || (set.mask >> (keys_ - 1 - key) & 1) == 0; }
  Set& set_of(TupleTableSlot* row);
  std::int64_t combination_of(const Set& set) const;
  bool is_below(const Set& set, const List* keys) const;
  void show_one_form(TupleTableSlot* row) const;
  void fill_keys(TupleTableSlot* row, const Set& set, std::int64_t combination) const;
  void fill(TupleTableSlot* row, const Set& set, std::int64_t combination) const;

  int keys_;
  int set_column_;
  int count_column_;
  List* groupings_;
  Key* key_;
  int* place_;  // of each key of a row that is looked at, among its values; -1: it is none of them
  int sets_ = 0;
  Set* set_;
  int public_sets_ = 0;
  int tested_ = 0;
  budget::Amount selection_;
  std::variant<mechanism::PartitionSelection, mechanism::WeightedSelection> test_;
  std::uint64_t dependence_ = 0;  // of which keys depend on each other, and how; 0: none do
};

template <class Visit>
void Groups::visit_missing(TupleTableSlot* row, Visit visit) {
  for (int i = 0; i < sets_; ++i) {
    if (!set_[i].is_public) continue;
    for (std::int64_t combination = 0; combination < set_[i].size; ++combination) {
      for (int times = set_[i].seen[combination]; times < set_[i].times; ++times) {
        fill(row, set_[i], combination);
        visit(combination);
      }
    }
  }
}

}  // namespace dp::guard
