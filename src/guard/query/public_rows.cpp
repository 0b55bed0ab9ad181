#include "guard/query/public_rows.h"

namespace dp::guard {
namespace {

// The name of the entry; the number follows. No SQL can name a table so that it reads the rows.
constexpr char kName[] = "DpPublicRows ";

// What the planner is told, whatever there is.
constexpr double kExpectedRows = 1000;

}  // namespace

List* PublicSubquery::as_list() const {
  return list_make5(query, makeString(pstrdup(name)), columns, collations, list_make3_int(preserved, several, value));
}

PublicSubquery PublicSubquery::of(const List* list) {
  const auto* const numbers = static_cast<const List*>(list_nth(list, 4));
  return {static_cast<Node*>(linitial(list)),
          strVal(lsecond(list)),
          static_cast<List*>(lthird(list)),
          static_cast<List*>(lfourth(list)),
          linitial_int(numbers) != 0,
          lsecond_int(numbers) != 0,
          lthird_int(numbers)};
}

RangeTblEntry* entry_of_public_rows(const RangeTblEntry* as, const Query* subquery, int number) {
  auto* const entry = makeNode(RangeTblEntry);
  entry->rtekind = RTE_NAMEDTUPLESTORE;
  entry->enrname = psprintf("%s%d", kName, number);
  entry->enrtuples = kExpectedRows;
  entry->eref = static_cast<Alias*>(copyObjectImpl(as->eref));
  entry->inFromCl = true;
  ListCell* cell;
  foreach (cell, subquery->targetList) {
    const auto* const column = lfirst_node(TargetEntry, cell);
    if (column->resjunk) continue;
    auto* const shown = reinterpret_cast<Node*>(column->expr);
    entry->coltypes = lappend_oid(entry->coltypes, exprType(shown));
    entry->coltypmods = lappend_int(entry->coltypmods, exprTypmod(shown));
    entry->colcollations = lappend_oid(entry->colcollations, exprCollation(shown));
  }
  return entry;
}

int number_in_name(const RangeTblEntry* entry) {
  if (strncmp(entry->enrname, kName, sizeof kName - 1) != 0) return 0;
  return pg_strtoint32(entry->enrname + sizeof kName - 1);
}

// No other parameter of that kind is in an aggregate.
Node* bound_of_rows(int number, bool upper) {
  auto* const bound = makeNode(Param);
  bound->paramkind = PARAM_SUBLINK;
  bound->paramid = 2 * (number + 1) + upper;
  bound->paramtype = FLOAT8OID;
  bound->paramtypmod = -1;
  bound->location = -1;
  return reinterpret_cast<Node*>(bound);
}

QueryEnvironment* environment_of(const PublicRows* rows, int count) {
  QueryEnvironment* const environment = create_queryEnv();
  for (int i = 0; i < count; ++i) {
    auto* const relation = static_cast<EphemeralNamedRelation>(palloc0(sizeof(EphemeralNamedRelationData)));
    relation->md.name = psprintf("%s%d", kName, i + 1);
    relation->md.reliddesc = InvalidOid;
    relation->md.tupdesc = rows[i].shape;
    relation->md.enrtype = ENR_NAMED_TUPLESTORE;
    relation->md.enrtuples = kExpectedRows;
    relation->reldata = rows[i].store;
    register_ENR(environment, relation);
  }
  return environment;
}

}  // namespace dp::guard
