#include "budget/policy/grouping_expression.h"

#include <utility>

#include "budget/catalog/extension_catalog.h"
#include "pg/deparse.h"
#include "pg/planner.h"
#include "pg/walk.h"

namespace dp::budget {
namespace {

constexpr const char* kExample = "For example dp.public_values('visits', 'ward', 'a', 'b').";

// Errors of the parser point into the expression, not into the statement that calls us.
void point_into_expression(void* text) {
  const int position = geterrposition();
  if (position <= 0) return;
  errposition(0);
  internalerrposition(position);
  internalerrquery(static_cast<const char*>(text));
}

[[noreturn]] void refuse_expression(const char* problem) {
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s", problem), errhint("%s", kExample)));
  pg_unreachable();
}

// The one expression of `SELECT <text>`. PL/pgSQL's grammar for expressions accepts no other statement, but any clauses
// of a SELECT, which are refused here.
Node* only_expression(const char* text) {
  const auto* const statement =
      castNode(SelectStmt, linitial_node(RawStmt, raw_parser(text, RAW_PARSE_PLPGSQL_EXPR))->stmt);
  const bool more =
      list_length(statement->targetList) != 1 || statement->distinctClause != NIL || statement->fromClause != NIL ||
      statement->whereClause != nullptr || statement->groupClause != NIL || statement->havingClause != nullptr ||
      statement->windowClause != NIL || statement->sortClause != NIL || statement->limitOffset != nullptr ||
      statement->limitCount != nullptr || statement->lockingClause != NIL;
  const auto* const target = more ? nullptr : linitial_node(ResTarget, statement->targetList);
  const bool star = target != nullptr && IsA(target->val, ColumnRef) &&
                    IsA(llast(castNode(ColumnRef, target->val)->fields), A_Star);  // the parser does not expect it here
  if (target == nullptr || star || target->name != nullptr)
    refuse_expression("a grouping expression must be one expression");
  return target->val;
}

Node* analysed(Oid relation, const char* text) {
  ErrorContextCallback context = {error_context_stack, point_into_expression, const_cast<char*>(text)};
  error_context_stack = &context;
  ParseState* const state = make_parsestate(nullptr);
  state->p_sourcetext = text;
  Relation const table = table_open(relation, AccessShareLock);
  addNSItemToQuery(state, addRangeTableEntryForRelation(state, table, AccessShareLock, nullptr, true, true), true, true,
                   true);
  Node* const expression = transformExpr(state, only_expression(text), EXPR_KIND_GROUP_BY);
  assign_expr_collations(state, expression);
  table_close(table, AccessShareLock);
  error_context_stack = context.previous;

  if (state->p_hasSubLinks) refuse_expression("a grouping expression must not hold a subquery");
  if (expression_returns_set(expression)) refuse_expression("a grouping expression must not return a set");
  if (contain_volatile_functions(expression))
    refuse_expression("a grouping expression must not call volatile functions");
  Bitmapset* columns = nullptr;  // each shifted, so that system columns and whole rows have non-negative numbers
  pull_varattnos(expression, 1, &columns);
  if (bms_is_empty(columns) || bms_next_member(columns, -1) + FirstLowInvalidHeapAttributeNumber <= 0) {
    refuse_expression("a grouping expression must be over columns of the table");
  }
  return expression;
}

bool is_dp_trunc(Oid function) {
  return strcmp(get_func_name(function), "dp_trunc") == 0 &&
         getExtensionOfObject(ProcedureRelationId, function) == get_extension_oid("pg_dp", true);
}

// Functions that take a zone as an argument (date_trunc, dp_trunc) are declared stable only because of zone
// abbreviations, which the administrator sets.
bool follows_settings(Oid function, void*) {
  return func_volatile(function) != PROVOLATILE_IMMUTABLE && function != F_ENUM_OUT &&
         function != F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT && !(get_func_nargs(function) == 3 && is_dp_trunc(function));
}

bool is_unsettled(Node* node, void*) {
  if (node == nullptr) return false;
  return IsA(node, SQLValueFunction) || check_functions_in_node(node, follows_settings, nullptr) ||
         pg::walk(node, is_unsettled, nullptr);
}

}  // namespace

bool is_settled(Node* expression) { return !is_unsettled(expression, nullptr); }

bool is_truncation(Node* expression) {
  if (!IsA(expression, FuncExpr)) return false;
  const Oid function = castNode(FuncExpr, expression)->funcid;
  return function == F_DATE_TRUNC_TEXT_TIMESTAMP || function == F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT ||
         is_dp_trunc(function);
}

int begin_stable_text() {
  constexpr struct {
    const char* name;
    const char* value;
  } kSettings[] = {{"search_path", "pg_catalog"}, {"quote_all_identifiers", "off"},
                   {"DateStyle", "ISO"},          {"IntervalStyle", "iso_8601"},
                   {"TimeZone", "UTC"},           {"extra_float_digits", "1"},
                   {"bytea_output", "hex"},       {"standard_conforming_strings", "on"}};
  const int level = NewGUCNestLevel();
  for (const auto& [name, value] : kSettings) {
    set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
  }
  return level;
}

void end_stable_text(int level) { AtEOXact_GUC(true, level); }

// As deparse_expression() writes it.
const char* column_text(const char* name) {
  const bool quotes_all = std::exchange(quote_all_identifiers, false);
  const char* const text = quote_identifier(name);
  quote_all_identifiers = quotes_all;
  return text;
}

const char* key_text(Node* key, Oid table) {
  if (IsA(key, Var) && castNode(Var, key)->varattno > 0)
    return column_text(get_attname(table, castNode(Var, key)->varattno, false));
  const int level = begin_stable_text();
  const char* const text = pg::text_of(key, deparse_context_for(get_rel_name(table), table), false);
  end_stable_text(level);
  return text;
}

GroupingExpression read_grouping_expression(Oid relation, const char* text) {
  Node* const expression = analysed(relation, text);
  const AttrNumber column = IsA(expression, Var) ? castNode(Var, expression)->varattno : InvalidAttrNumber;
  return {key_text(expression, relation),
          exprType(expression),
          exprTypmod(expression),
          exprCollation(expression),
          column,
          is_settled(expression),
          expression};
}

}  // namespace dp::budget
