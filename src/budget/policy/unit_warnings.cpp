#include "budget/policy/unit_warnings.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/policy/accounts.h"
#include "budget/policy/domains.h"
#include "budget/policy/unit_path_columns.h"
#include "pg/catalog.h"

namespace dp::budget {
namespace {

// The table that one of its foreign keys refers to, and the key's first column; InvalidOid where it has none.
Reference first_reference(Oid relation) {
  Reference found{};
  const auto look_at = [&](const auto& constraint, HeapTuple row) {
    if (OidIsValid(found.relation) || constraint.contype != CONSTRAINT_FOREIGN || constraint.confrelid == relation)
      return;
    int size;
    AttrNumber columns[INDEX_MAX_KEYS], keys[INDEX_MAX_KEYS];
    Oid operators[INDEX_MAX_KEYS];
    DeconstructFkConstraintRow(row, &size, columns, keys, operators, nullptr, nullptr, nullptr, nullptr);
    found = {constraint.confrelid, columns[0]};
  };
  pg::visit_catalog<FormData_pg_constraint>(ConstraintRelationId, ConstraintRelidTypidNameIndexId,
                                            {{Anum_pg_constraint_conrelid, relation}}, look_at);
  return found;
}

// The unit that is reached through the column.
const char* hint_to_follow(Oid relation, const char* column, const char* unit) {
  return psprintf("SELECT dp.protect(%s, ..., privacy_unit => %s, max_rows_per_unit => 5);",
                  quote_literal_cstr(relation_name(relation)),
                  quote_literal_cstr(psprintf("%s.%s", quote_identifier(column), unit)));
}

}  // namespace

void warn_about_unit(Oid relation, const UnitPolicy& unit) {
  if (!unit.declared() || unit.steps != NIL) return;  // a path through foreign keys says what lies behind them
  const char* const column = unit.path;
  const auto to = foreign_key_of(relation, get_attnum(relation, column));
  if (!to || to->relation == relation) return;
  const char* const other = relation_name(to->relation);
  if (const auto protection = protection_of(to->relation); protection && protection->unit.declared()) {
    const char* const unit_of_other =
        protection->unit.steps == NIL ? quote_identifier(protection->unit.path) : protection->unit.path;
    if (says_whose(*protection, to->relation, to->column)) return;
    ereport(WARNING, (errmsg("privacy_unit \"%s\" of table %s is a row of table %s, whose own privacy unit is \"%s\"",
                             column, relation_name(relation), other, unit_of_other),
                      errdetail("Answers hide one row of %s, and not all that belong to one %s.", other, unit_of_other),
                      errhint("%s", hint_to_follow(relation, column, unit_of_other))));
    return;
  }
  const Reference next = first_reference(to->relation);
  if (!OidIsValid(next.relation)) return;
  const char* const person = get_attname(to->relation, next.column, false);
  ereport(NOTICE,
          (errmsg("privacy_unit \"%s\" of table %s is a row of table %s, which refers to table %s in turn", column,
                  relation_name(relation), other, relation_name(next.relation)),
           errdetail("Answers hide one row of %s. Where one of %s has several of these, they do not hide that one.",
                     other, relation_name(next.relation)),
           errhint("If %s is whom answers are to hide: %s", quote_identifier(person),
                   hint_to_follow(relation, column, quote_identifier(person)))));
}

}  // namespace dp::budget
