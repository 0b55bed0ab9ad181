#include "guard/rewrite/aggregate_text.h"

#include "aggregate/call/prepare_plan.h"
#include "guard/query/public_rows.h"
#include "guard/rewrite/known_aggregates.h"
#include "guard/rewrite/known_texts.h"
#include "guard/tree/query_marks.h"
#include "pg/deparse.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// The constant that is printed as that number, without a label.
Node* number_literal(char* text) {
  const bool whole = strspn(text, "-0123456789") == strlen(text);
  if (whole && strlen(text) <= 9) {
    return reinterpret_cast<Node*>(pg::int4_constant(pg_strtoint32(text)));
  }
  if (!whole && strspn(text, "-.0123456789") == strlen(text)) {
    const Datum number =
        DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
    return reinterpret_cast<Node*>(makeConst(NUMERICOID, -1, InvalidOid, -1, number, false, false));
  }
  return reinterpret_cast<Node*>(makeConst(UNKNOWNOID, -1, InvalidOid, -2, CStringGetDatum(text), false, false));
}

// The constant of an unlabelled literal that reads as this one: 0.5 for the float8, 'laplace' for the mechanism.
Node* as_literal(const Const* constant) {
  if (constant->constisnull || OidIsValid(get_element_type(constant->consttype))) return nullptr;
  Oid output;
  bool varlena;
  getTypeOutputInfo(constant->consttype, &output, &varlena);
  char* const text = OidOutputFunctionCall(output, constant->constvalue);
  if (constant->consttype == FLOAT8OID || constant->consttype == NUMERICOID) return number_literal(text);
  if (!get_typbyval(constant->consttype) && get_typlen(constant->consttype) == -1) {
    return reinterpret_cast<Node*>(makeConst(UNKNOWNOID, -1, InvalidOid, -2, CStringGetDatum(text), false, false));
  }
  return nullptr;
}

Node* readable(Node* node, void* context);

bool is_syntax(const Node* node) {
  return IsA(node, FuncExpr) && reinterpret_cast<const FuncExpr*>(node)->funcformat == COERCE_SQL_SYNTAX;
}

// EXTRACT(day FROM x) and the like. Some of its constants are words of the syntax, which PostgreSQL writes without a
// look at their type: they stay the texts that they are. `others` makes the other arguments readable.
Node* readable_syntax(Node* call, Node* (*others)(Node*, void*), void* context) {
  auto* const copy = makeNode(FuncExpr);
  *copy = *castNode(FuncExpr, call);
  copy->args = NIL;
  ListCell* cell;
  foreach (cell, castNode(FuncExpr, call)->args) {
    auto* const argument = static_cast<Node*>(lfirst(cell));
    copy->args = lappend(copy->args, IsA(argument, Const) ? argument : others(argument, context));
  }
  return reinterpret_cast<Node*>(copy);
}

// The two columns of pairs are numbers of any type: the cast to the one in which they are taken is not written.
void drop_casts_of_pairs(Aggref* call) {
  if (!aggregate::answers_about_pairs(call->aggfnoid) && form_of_pairs(call->aggfnoid) == nullptr) return;
  for (int i = 0; i < 2 && i < list_length(call->args); ++i) {
    Expr*& value = list_nth_node(TargetEntry, call->args, i)->expr;
    if (!IsA(value, FuncExpr) || reinterpret_cast<FuncExpr*>(value)->funcformat != COERCE_IMPLICIT_CAST) continue;
    value = static_cast<Expr*>(linitial(reinterpret_cast<FuncExpr*>(value)->args));
  }
}

Node* readable(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  if (IsA(node, Aggref)) {
    auto* const copy = castNode(Aggref, pg::mutate(node, readable, context));
    drop_casts_of_pairs(copy);
    return reinterpret_cast<Node*>(copy);
  }
  if (is_syntax(node)) return readable_syntax(node, readable, context);
  if (IsA(node, FuncExpr)) {
    const auto* const call = castNode(FuncExpr, node);
    if (call->funcformat == COERCE_IMPLICIT_CAST && IsA(linitial(call->args), Const)) {
      return readable(static_cast<Node*>(linitial(call->args)), context);
    }
  }
  if (IsA(node, Const)) {
    if (Node* const literal = as_literal(castNode(Const, node))) return literal;
  }
  if (const auto bound = as_bound_of_rows(node)) {
    const char* const text = bound->upper ? "highest" : "lowest";
    return reinterpret_cast<Node*>(
        makeConst(UNKNOWNOID, -1, InvalidOid, -2, CStringGetDatum(pstrdup(text)), false, false));
  }
  return pg::mutate(node, readable, context);
}

// Bounds that rows will give cannot be written. They are those of the call without them, which has the same epsilon and
// mechanism: both are defaults wherever bounds are.
Aggref* without_bounds_of_rows(Aggref* call) {
  int given = 0;
  ListCell* cell;
  foreach (cell, call->args) {
    if (as_bound_of_rows(reinterpret_cast<Node*>(lfirst_node(TargetEntry, cell)->expr))) break;
    ++given;
  }
  if (given == list_length(call->args)) return call;
  auto* const shorter = static_cast<Aggref*>(copyObjectImpl(call));
  shorter->args = list_truncate(shorter->args, given);
  shorter->aggargtypes = list_truncate(shorter->aggargtypes, given);
  Oid types[FUNC_MAX_ARGS];
  get_aggregate_argtypes(shorter, types);
  Oid function, result, element, *declared;
  bool set;
  int variadic;
  List* defaults;
  List* const name = list_make1(makeString(get_func_name(call->aggfnoid)));
  const FuncDetailCode found = func_get_detail(name, NIL, NIL, given, types, true, false, false, &function, &result,
                                               &set, &variadic, &element, &declared, &defaults);
  // Another one is written with the schema of the one that is meant.
  if (found == FUNCDETAIL_AGGREGATE) shorter->aggfnoid = function;
  return shorter;
}

// Of the type of what is aggregated it depends which aggregate it is, and what its answer looks like.
bool keeps_type(const Aggref* call, const TargetEntry* argument) {
  return argument == linitial(call->args) && exprType(reinterpret_cast<const Node*>(argument->expr)) != TEXTOID;
}

bool is_parameter(const Node* argument) {
  if (IsA(argument, FuncExpr) && reinterpret_cast<const FuncExpr*>(argument)->funcformat == COERCE_IMPLICIT_CAST)
    return IsA(linitial(reinterpret_cast<const FuncExpr*>(argument)->args), Const);
  return IsA(argument, Const);
}

Node* readable_within(Node* node, void* context);

// The call with parameters as a person would write them, as those of an aggregate that is known by its name.
Node* readable_call(Aggref* call, void* context) {
  auto* const copy =
      castNode(Aggref, pg::mutate(reinterpret_cast<Node*>(without_bounds_of_rows(call)), readable_within, context));
  drop_casts_of_pairs(copy);
  if (!aggregate::is_private_aggregate(call->aggfnoid)) return reinterpret_cast<Node*>(copy);
  ListCell* cell;
  foreach (cell, copy->args) {
    auto* const argument = lfirst_node(TargetEntry, cell);
    if (!keeps_type(copy, argument) && is_parameter(reinterpret_cast<Node*>(argument->expr)))
      argument->expr = reinterpret_cast<Expr*>(readable(reinterpret_cast<Node*>(argument->expr), context));
  }
  return reinterpret_cast<Node*>(copy);
}

// 'k'::text::date is no 'k'::date: the one fails where it is computed, the other where it is read.
bool is_cast_of_constant(Node* node) {
  const bool function = IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcformat == COERCE_EXPLICIT_CAST;
  if (function) return IsA(linitial(castNode(FuncExpr, node)->args), Const);
  return (IsA(node, CoerceViaIO) && IsA(castNode(CoerceViaIO, node)->arg, Const)) ||
         (IsA(node, RelabelType) && IsA(castNode(RelabelType, node)->arg, Const));
}

// Elsewhere a constant's type says what is computed with it: x / 2::numeric is not x / 2. A text needs no label to be
// one.
Node* readable_within(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  if (IsA(node, Aggref)) return readable_call(castNode(Aggref, node), context);
  if (is_cast_of_constant(node)) return static_cast<Node*>(copyObjectImpl(node));
  if (IsA(node, Query))
    return reinterpret_cast<Node*>(pg::mutate_query(castNode(Query, node), readable_within, context, 0));
  if (is_syntax(node)) return readable_syntax(node, readable_within, context);
  // Without its label a key is another one in GROUP BY than in SELECT: of the one no type is known, the other is a text.
  if (IsA(node, TargetEntry) && castNode(TargetEntry, node)->ressortgroupref > 0 &&
      IsA(castNode(TargetEntry, node)->expr, Const))
    return static_cast<Node*>(copyObjectImpl(node));
  if (as_bound_of_rows(node) || (IsA(node, Const) && castNode(Const, node)->consttype == TEXTOID))
    return readable(node, context);
  return pg::mutate(node, readable_within, context);
}

// ---- answers -------------------------------------------------------------------------------------------------------

// Levels are split from within: an answer that an expression compares or computes with reads an inner query, which is
// marked (InnerQueries), and is no query any more that could be written.
bool reads_inner_query(Node* node, void*) {
  if (node == nullptr || IsA(node, SubLink)) return false;
  if (!IsA(node, Query)) return pg::walk(node, reads_inner_query, nullptr);
  auto* const query = castNode(Query, node);
  return mark_of(query) != Mark::none || pg::walk_query(query, reads_inner_query, nullptr, 0);
}

Node* name_answers(Node* node, void*) {
  if (node == nullptr) return nullptr;
  if (IsA(node, Query))
    return reinterpret_cast<Node*>(pg::mutate_query(castNode(Query, node), name_answers, nullptr, 0));
  if (!IsA(node, SubLink) || !reads_inner_query(castNode(SubLink, node)->subselect, nullptr))
    return pg::mutate(node, name_answers, nullptr);
  const Datum name = CStringGetDatum(pstrdup("answer"));
  return reinterpret_cast<Node*>(makeConst(UNKNOWNOID, -1, InvalidOid, -2, name, false, false));
}

// Constants, and what is computed from them, are written without a look at the tables.
bool names_anything(Node* node, void*) {
  if (node == nullptr) return false;
  if (IsA(node, Var) || IsA(node, Param) || IsA(node, SubLink) || IsA(node, GroupingFunc)) return true;
  return pg::walk(node, names_anything, nullptr);
}

// Constants so written are read as the same ones, whatever the session's settings are.
constexpr std::pair<const char*, const char*> kReadableEverywhere[] = {
    {"DateStyle", "ISO"}, {"IntervalStyle", "postgres"}, {"extra_float_digits", "3"}};

}  // namespace

List* ColumnNames::look_up() const {
  if (context_ != NIL) return context_;
  auto* const statement = makeNode(PlannedStmt);
  statement->rtable = tables_;
  Bitmapset* all = nullptr;
  for (int table = 1; table <= list_length(tables_); ++table) all = bms_add_member(all, table);
  return context_ = deparse_context_for_plan_tree(statement, select_rtable_names_for_explain(tables_, all));
}

char* text_of_call(Node* call, const ColumnNames& names) {
  if (char* const known = known_text(call)) return known;
  const std::uint64_t since = changes_of_texts();
  Node* const written = readable(checkExprHasSubLink(call) ? name_answers(call, nullptr) : call, nullptr);
  if (!names_anything(call, nullptr)) {
    char* const text = deparse_expression(written, NIL, false, false);
    keep_text(call, text, since);
    return text;
  }
  return pg::text_of(written, names.look_up(), names.with_tables());
}

char* text_of_calls(List* calls, const Sources& sources, const ColumnNames& names) {
  StringInfoData text;
  initStringInfo(&text);
  ListCell* cell;
  foreach (cell, calls) {
    Node* const over = sources.over_tables(static_cast<Node*>(lfirst(cell)), "an aggregate");
    appendStringInfo(&text, "%s%s", text.len > 0 ? ", " : "", text_of_call(over, names));
  }
  return text.data;
}

char* text_of_query(Query* query) {
  auto* const readable_query = castNode(Query, pg::mutate_query(query, readable_within, nullptr, QTW_DONT_COPY_QUERY));
  // Where an error leaves this, the end of its transaction ends the level, too.
  const int level = NewGUCNestLevel();
  for (const auto& [name, value] : kReadableEverywhere)
    set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
  char* const text = pg_get_querydef(readable_query, true);
  AtEOXact_GUC(true, level);
  return text;
}

}  // namespace dp::guard
