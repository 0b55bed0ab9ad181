#include "budget/policy/checks.h"

#include "budget/policy/shards.h"
#include "pg/catalog.h"
#include "pg/walk.h"

namespace dp::budget {
namespace {

// The same value in a wider or another name of its type.
Node* without_relabels(Node* node) {
  while (IsA(node, RelabelType)) node = reinterpret_cast<Node*>(castNode(RelabelType, node)->arg);
  return node;
}

// The expression of a validated CHECK constraint; nullptr for another one.
Node* checked_by(const FormData_pg_constraint& constraint, HeapTuple row) {
  if (constraint.contype != CONSTRAINT_CHECK || !constraint.convalidated) return nullptr;
  bool is_null;
  const Datum condition = SysCacheGetAttr(CONSTROID, row, Anum_pg_constraint_conbin, &is_null);
  if (is_null) return nullptr;
  return eval_const_expressions(nullptr, static_cast<Node*>(stringToNode(TextDatumGetCString(condition))));
}

Node* with_column(Node* node, void* column) {
  if (node == nullptr) return nullptr;
  if (IsA(node, CoerceToDomainValue)) {
    const auto* const value = castNode(CoerceToDomainValue, node);
    return reinterpret_cast<Node*>(
        makeVar(1, *static_cast<AttrNumber*>(column), value->typeId, value->typeMod, value->collation, 0));
  }
  return pg::mutate(node, with_column, column);
}

// Most tables have none: then it need not be looked for one among the constraints.
bool has_checks(Oid table) {
  HeapTuple const row = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
  if (!HeapTupleIsValid(row)) return false;
  const bool checks = reinterpret_cast<Form_pg_class>(GETSTRUCT(row))->relchecks > 0;
  ReleaseSysCache(row);
  return checks;
}

}  // namespace

List* checks_of_column(Oid table, AttrNumber column) {
  List* conditions = NIL;
  if (foreign_tables_of(table) != NIL) return NIL;  // there they are mere declarations
  if (has_checks(table)) {
    const bool has_children = has_subclass(table);
    pg::visit_catalog<FormData_pg_constraint>(ConstraintRelationId, ConstraintRelidTypidNameIndexId,
                                              {{Anum_pg_constraint_conrelid, table}},
                                              [&](const auto& constraint, HeapTuple row) {
                                                if (constraint.connoinherit && has_children) return;
                                                if (Node* const condition = checked_by(constraint, row))
                                                  conditions = lappend(conditions, condition);
                                              });
  }
  for (Oid type = get_atttype(table, column); get_typtype(type) == TYPTYPE_DOMAIN;) {
    pg::visit_catalog<FormData_pg_constraint>(ConstraintRelationId, ConstraintTypidIndexId,
                                              {{Anum_pg_constraint_contypid, type}},
                                              [&](const auto& constraint, HeapTuple row) {
                                                if (Node* const condition = checked_by(constraint, row))
                                                  conditions = lappend(conditions, with_column(condition, &column));
                                              });
    HeapTuple const row = SearchSysCache1(TYPEOID, ObjectIdGetDatum(type));
    if (!HeapTupleIsValid(row)) break;
    type = reinterpret_cast<Form_pg_type>(GETSTRUCT(row))->typbasetype;
    ReleaseSysCache(row);
  }
  return conditions;
}

bool is_checked_value(Node* node, AttrNumber column) {
  Node* const value = without_relabels(node);
  if (IsA(value, CoerceToDomain))
    return is_checked_value(reinterpret_cast<Node*>(castNode(CoerceToDomain, value)->arg), column);
  return IsA(value, Var) && castNode(Var, value)->varattno == column;
}

}  // namespace dp::budget
