#include "budget/policy/followed_columns.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/policy_rows.h"
#include "budget/catalog/public_domain_rows.h"
#include "budget/catalog/range_rows.h"
#include "budget/policy/grouping_expression.h"
#include "budget/policy/written_columns.h"
#include "pg/errors.h"

namespace dp::budget {
namespace {

bool is_protected(Oid relation) { return tables() != nullptr && protected_policy(relation).has_value(); }

void rename_kept_by(Oid relation, const char* from, const char* to) {
  auto policy = protected_policy(relation);
  if (policy->unit.kept_by == nullptr || strcmp(policy->unit.kept_by, from) != 0) return;
  policy->unit.kept_by = to;
  store(*policy);
}

// "no column ward", "the column ward of type integer"; nullptr where the declaration may hold.
const char* lapsed(Oid relation, const char* expression, Oid type) {
  ListCell* cell;
  foreach (cell, columns_written(expression)) {
    const char* const name = strVal(lfirst(cell));
    const AttrNumber column = get_attnum(relation, name);
    if (column <= 0) return psprintf("no column %s", column_text(name));
    if (strcmp(expression, column_text(name)) != 0) continue;
    const Oid now = get_atttype(relation, column);
    if (type != now && type != getBaseType(now))
      return psprintf("%s of type %s, not %s", expression, format_type_be(now), format_type_be(type));
  }
  return nullptr;
}

}  // namespace

void rename_declarations(Oid relation, const char* from, const char* to) {
  if (!is_protected(relation)) return;
  drop_declarations(relation, to, nullptr);
  rename_declared_range(relation, from, to);
  ListCell* cell;
  foreach (cell, public_expressions(relation)) {
    const char* const expression = strVal(lfirst(cell));
    const char* const renamed = with_column_renamed(expression, from, to);
    if (renamed != nullptr) rename_public_domain(relation, expression, renamed);
  }
  rename_kept_by(relation, from, to);
}

void drop_declarations(Oid relation, const char* name, const char* instead) {
  if (!is_protected(relation)) return;
  remove_declared_range(relation, name);
  ListCell* cell;
  foreach (cell, public_expressions(relation)) {
    const char* const expression = strVal(lfirst(cell));
    if (with_column_renamed(expression, name, name) != nullptr) remove_public_domain(relation, expression);
  }
  if (instead != nullptr) rename_kept_by(relation, name, instead);
}

// dp_internal.lapsed(relation regclass, expression text, type regtype) returns text
DP_SQL_FUNCTION(dp_lapsed) {
  const Oid relation = PG_GETARG_OID(0);
  if (!relation_exists(relation)) PG_RETURN_NULL();
  const char* const why = lapsed(relation, text_to_cstring(PG_GETARG_TEXT_PP(1)), PG_GETARG_OID(2));
  if (why == nullptr) PG_RETURN_NULL();
  PG_RETURN_TEXT_P(cstring_to_text(why));
}

}  // namespace dp::budget
