#include "guard/relations/full_joins.h"

#include <algorithm>
#include <iterator>

#include "guard/admission/refusal.h"
#include "guard/tree/columns.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// No table has that number.
constexpr int kPlace = 1 << 18;

int table_at(Node* side) { return castNode(RangeTblRef, side)->rtindex; }

// The type in which units of both types are compared: as PostgreSQL compares the columns, and without an error.
Oid common_type(Oid one, Oid other) {
  constexpr Oid kNumbers[] = {INT2OID, INT4OID, INT8OID};
  constexpr Oid kTexts[] = {VARCHAROID, TEXTOID};
  if (one == other) return one;
  const auto larger = [=](const auto& types) {
    const auto at = [&](Oid type) { return std::find(std::begin(types), std::end(types), type); };
    const auto last = std::max(at(one), at(other));
    return last == std::end(types) ? InvalidOid : *last;
  };
  const Oid number = larger(kNumbers);
  return OidIsValid(number) ? number : larger(kTexts);
}

Expr* in_type(const Var* column, Oid type) {
  auto* const copy = static_cast<Node*>(copyObjectImpl(column));
  Node* const cast =
      coerce_to_target_type(nullptr, copy, column->vartype, type, -1, COERCION_IMPLICIT, COERCE_IMPLICIT_CAST, -1);
  if (OidIsValid(column->varcollid)) exprSetCollation(cast, column->varcollid);
  return reinterpret_cast<Expr*>(cast);
}

// The column of that side itself that names the unit; nullptr where it is another table's.
const Var* own_unit(const UnitColumns& units, Node* side) {
  const Var* const unit = units.column_of(table_at(side));
  return unit != nullptr && unit->varno == table_at(side) ? unit : nullptr;
}

}  // namespace

int first_of_full(const Sources& sources, int first, List* missing, int location) {
  const int left = table_at(sources.full->larg), right = table_at(sources.full->rarg);
  if (first == 0 && list_member_int(missing, left) && list_member_int(missing, right)) return left;
  DP_REFUSE(
      location,
      errmsg("a FULL JOIN of a private query has to be one of two protected tables, with all others joined to "
             "them: elsewhere a row "
             "without a partner is nobody's"),
      errhint(
          "Join two tables that have a privacy unit, then others: FROM a FULL JOIN b ON a.patient_id = "
          "b.patient_id LEFT JOIN c "
          "ON c.patient_id = a.patient_id.\nOr keep the rows of the protected table alone: FROM visits LEFT JOIN wards "
          "ON ...; those of a public one need no private answer."));
  pg_unreachable();
}

Expr* unit_of_full(const Sources& sources, const UnitColumns& units, int location) {
  const Var* const left = own_unit(units, sources.full->larg);
  const Var* const right = own_unit(units, sources.full->rarg);
  const Oid type = left == nullptr || right == nullptr ? InvalidOid : common_type(left->vartype, right->vartype);
  if (!OidIsValid(type) || left->varcollid != right->varcollid) {
    DP_REFUSE(
        location,
        errmsg("tables %s and %s cannot be joined by FULL JOIN: the privacy unit of a row has to stand in a column of "
               "each, of the same type and collation",
               name_of_table(sources.table(table_at(sources.full->larg))),
               name_of_table(sources.table(table_at(sources.full->rarg)))),
        errhint(
            "Use LEFT JOIN, or let a subquery name the unit and group by it: (SELECT v.patient_id, count(*) AS n FROM "
            "drugs d JOIN visits v ON v.id = d.visit GROUP BY v.patient_id) AS x FULL JOIN ..."));
  }
  auto* const unit = makeNode(CoalesceExpr);
  unit->coalescetype = type;
  unit->coalescecollid = left->varcollid;
  unit->args = list_make2(in_type(left, type), in_type(right, type));
  unit->location = -1;
  return reinterpret_cast<Expr*>(unit);
}

bool is_unit_of_full(Node* key, Expr* unit) {
  const auto equality_of = [](const void* expression) {
    return lookup_type_cache(exprType(static_cast<const Node*>(expression)), TYPECACHE_EQ_OPR)->eq_opr;
  };
  Node* const bare = without_relabel(key);
  if (!IsA(bare, CoalesceExpr) || equality_of(key) != equality_of(unit)) return false;
  List* const own = castNode(CoalesceExpr, unit)->args;
  List* const args = castNode(CoalesceExpr, bare)->args;
  if (list_length(args) != list_length(own)) return false;
  const auto is_same = [&](int place, int own_place) {
    return equal(without_relabel(static_cast<Node*>(list_nth(args, place))),
                 without_relabel(static_cast<Node*>(list_nth(own, own_place))));
  };
  // In either order: where both sides have a row they name the same person.
  return (is_same(0, 0) && is_same(1, 1)) || (is_same(0, 1) && is_same(1, 0));
}

FullUnit::FullUnit(Node* unit) : unit_(unit), place_(column_showing(kPlace, 1, unit)) {}

Node* FullUnit::take(Node* node, void* self) {
  const auto& unit = *static_cast<const FullUnit*>(self);
  if (node == nullptr) return nullptr;
  if (equal(node, unit.unit_)) return static_cast<Node*>(copyObjectImpl(unit.place_));
  return pg::mutate(node, take, self);
}

Node* FullUnit::put(Node* node, void* self) {
  const auto& unit = *static_cast<const FullUnit*>(self);
  if (node == nullptr) return nullptr;
  if (IsA(node, Query)) return reinterpret_cast<Node*>(pg::mutate_query(castNode(Query, node), put, self, 0));
  if (IsA(node, Var) && castNode(Var, node)->varno == kPlace) return static_cast<Node*>(copyObjectImpl(unit.unit_));
  return pg::mutate(node, put, self);
}

void FullUnit::take_from(Query* query) const {
  auto* const columns = reinterpret_cast<Node*>(query->targetList);
  query->targetList = castNode(List, take(columns, const_cast<FullUnit*>(this)));
}

void FullUnit::put_into(Query* query) const { *query = *pg::mutate_query(query, put, const_cast<FullUnit*>(this), 0); }

}  // namespace dp::guard
