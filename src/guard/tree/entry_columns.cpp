#include "guard/tree/entry_columns.h"

namespace dp::guard {
namespace {

ColumnType type_of(const Node* expression, bool loose) {
  return {exprType(expression), exprTypmod(expression), exprCollation(expression), loose};
}

std::optional<ColumnType> column_of_relation(Oid relation, int number) {
  if (number < 0) {
    if (number <= FirstLowInvalidHeapAttributeNumber) return std::nullopt;
    const FormData_pg_attribute* const system = SystemAttributeDefinition(static_cast<AttrNumber>(number));
    return ColumnType{system->atttypid, system->atttypmod, system->attcollation, false};
  }
  HeapTuple const row = SearchSysCache2(ATTNUM, ObjectIdGetDatum(relation), Int16GetDatum(static_cast<int16>(number)));
  if (!HeapTupleIsValid(row)) return std::nullopt;
  const auto* const column = reinterpret_cast<FormData_pg_attribute*>(GETSTRUCT(row));
  std::optional<ColumnType> found;
  if (!column->attisdropped) found = {column->atttypid, column->atttypmod, column->attcollation, false};
  ReleaseSysCache(row);
  return found;
}

// Of the lists in which entries say what columns they have; those that were dropped have type 0.
std::optional<ColumnType> column_of_lists(const List* types, const List* modifiers, const List* collations,
                                          int number) {
  if (number < 1 || number > list_length(types) || number > list_length(modifiers) || number > list_length(collations))
    return std::nullopt;
  const Oid type = list_nth_oid(types, number - 1);
  if (!OidIsValid(type)) return std::nullopt;
  return ColumnType{type, list_nth_int(modifiers, number - 1), list_nth_oid(collations, number - 1), false};
}

std::optional<ColumnType> column_of_one_function(const RangeTblFunction* function, int number) {
  if (function->funccolnames != NIL)
    return column_of_lists(function->funccoltypes, function->funccoltypmods, function->funccolcollations, number);
  TupleDesc shape = nullptr;
  Oid type;
  switch (get_expr_result_type(function->funcexpr, &type, &shape)) {
    // A view may read of a function what has gone from its type of rows since, or is another type there. That is no fault
    // as long as nobody asks for it, and else noticed when it runs. No function runs below the noise.
    case TYPEFUNC_COMPOSITE:
    case TYPEFUNC_COMPOSITE_DOMAIN:
      if (number > shape->natts) return std::nullopt;
      return ColumnType{InvalidOid, -1, InvalidOid, true};
    default:
      if (number != 1) return std::nullopt;
      return ColumnType{type, exprTypmod(function->funcexpr), exprCollation(function->funcexpr), true};
  }
}

std::optional<ColumnType> column_of_functions(const RangeTblEntry* entry, int number) {
  int before = 0;
  ListCell* cell;
  foreach (cell, entry->functions) {
    const auto* const function = lfirst_node(RangeTblFunction, cell);
    if (number > before && number <= before + function->funccolcount)
      return column_of_one_function(function, number - before);
    before += function->funccolcount;
  }
  if (entry->funcordinality && number == before + 1) return ColumnType{INT8OID, -1, InvalidOid, false};
  return std::nullopt;
}

// Whether the columns that the query shows are those of the type of rows. Where it has dropped ones the query shows
// something in their place.
bool has_shape(const Query* query, Oid row_type) {
  Oid const relation = get_typ_typrelid(row_type);
  if (!OidIsValid(relation)) return false;
  const List* const shown = query->commandType == CMD_SELECT ? query->targetList : query->returningList;
  int count = 0;
  ListCell* cell;
  foreach (cell, shown) count += !lfirst_node(TargetEntry, cell)->resjunk;
  const auto exists = [relation](int number) {
    return SearchSysCacheExists2(ATTNUM, ObjectIdGetDatum(relation), Int16GetDatum(static_cast<int16>(number)));
  };
  if ((count > 0 && !exists(count)) || exists(count + 1)) return false;
  for (int number = 1; number <= count; ++number) {
    const TargetEntry* const entry = shown_column(query, number);
    const auto column = column_of_relation(relation, number);
    if (entry == nullptr) return false;
    if (column && column->type != exprType(reinterpret_cast<const Node*>(entry->expr))) return false;
  }
  return true;
}

// A function that returns one value has that as its row.
bool is_row_of_function(const RangeTblEntry* entry, Oid type) {
  if (entry->funcordinality || list_length(entry->functions) != 1) return type == RECORDOID;
  const Oid returned = exprType(linitial_node(RangeTblFunction, entry->functions)->funcexpr);
  return type == (type_is_rowtype(returned) ? returned : RECORDOID);
}

}  // namespace

bool ColumnType::is_of(const Var* var) const {
  if (!OidIsValid(type)) return true;
  if (var->vartype != type) return false;
  if (var->varcollid != collation && !(loose && !OidIsValid(collation))) return false;
  return var->vartypmod == modifier || (loose && (var->vartypmod == -1 || modifier == -1));
}

const TargetEntry* shown_column(const Query* query, int number) {
  const List* const entries = query->commandType == CMD_SELECT ? query->targetList : query->returningList;
  const auto is_it = [number](const TargetEntry* entry) { return entry->resno == number && !entry->resjunk; };
  if (number < 1) return nullptr;
  if (number <= list_length(entries) && is_it(list_nth_node(TargetEntry, entries, number - 1)))
    return list_nth_node(TargetEntry, entries, number - 1);
  ListCell* cell;
  foreach (cell, entries) {
    if (is_it(lfirst_node(TargetEntry, cell))) return lfirst_node(TargetEntry, cell);
  }
  return nullptr;
}

std::optional<ColumnType> column_of_entry(const RangeTblEntry* entry, int number) {
  if (number < 0 && entry->rtekind != RTE_RELATION) return std::nullopt;
  switch (entry->rtekind) {
    case RTE_RELATION:
      return column_of_relation(entry->relid, number);
    case RTE_SUBQUERY: {
      const TargetEntry* const shown = shown_column(entry->subquery, number);
      if (shown == nullptr) return std::nullopt;
      return type_of(reinterpret_cast<const Node*>(shown->expr), true);
    }
    case RTE_FUNCTION:
      return column_of_functions(entry, number);
    case RTE_TABLEFUNC:
      return column_of_lists(entry->tablefunc->coltypes, entry->tablefunc->coltypmods, entry->tablefunc->colcollations,
                             number);
    case RTE_VALUES:
    case RTE_CTE:
    case RTE_NAMEDTUPLESTORE:
      return column_of_lists(entry->coltypes, entry->coltypmods, entry->colcollations, number);
    default:
      if (const List* const keys = pg::grouped_expressions(entry); number <= list_length(keys))
        return type_of(static_cast<const Node*>(list_nth(keys, number - 1)), false);
      return std::nullopt;
  }
}

bool is_row_of_entry(const RangeTblEntry* entry, const Var* row) {
  switch (entry->rtekind) {
    case RTE_RELATION:
      return row->vartype == get_rel_type_id(entry->relid);
    case RTE_SUBQUERY:
      return row->vartype == RECORDOID || has_shape(entry->subquery, row->vartype);
    case RTE_FUNCTION:
      return is_row_of_function(entry, row->vartype);
    case RTE_RESULT:
      return false;
    default:
      return row->vartype == RECORDOID && pg::grouped_expressions(entry) == NIL;
  }
}

}  // namespace dp::guard
