// Group keys as JSON: {"ward": "oncology", "year": 2024}.
#pragma once

#include <cstdint>

#include "pg/server.h"

namespace dp::budget {

class GroupKeyWriter {
 public:
  // The first columns of the rows are the keys, with these names (String). `set_column` is the number of the column
  // that tells grouping sets apart, 0 without: keys that are not of a row's set are left out.
  GroupKeyWriter(TupleDesc rows, List* names, int set_column);

  void append(StringInfo json, TupleTableSlot* row) const;

 private:
  // How values of a type are written.
  enum class Kind : std::uint8_t { whole, number, boolean, moment, json, text };
  struct Column {
    const char* name;  // quoted
    Oid type;
    Kind kind;
    FmgrInfo output;
  };

  static Kind kind_of(Oid type);
  static void append_value(StringInfo json, const Column& column, Datum value);

  int count_;
  int set_column_;
  Column* columns_;
};

}  // namespace dp::budget
