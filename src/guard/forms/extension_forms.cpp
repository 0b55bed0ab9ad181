#include "guard/forms/extension_forms.h"

#include "guard/admission/values.h"
#include "guard/forms/text_parts.h"
#include "guard/functions/called_functions.h"
#include "guard/functions/calls.h"
#include "pg/nodes.h"

namespace dp::guard {
namespace {

Node* constant_text(const char* value) { return reinterpret_cast<Node*>(pg::text_constant(value)); }

// A citext has the same bytes as a text; so have the literals and casts that made it.
Node* as_text(Node* value) {
  while (IsA(value, RelabelType) && ignores_case(castNode(RelabelType, value)->resulttype))
    value = reinterpret_cast<Node*>(castNode(RelabelType, value)->arg);
  if (exprType(value) == TEXTOID) return value;
  if (IsA(value, Const)) {
    auto* const literal = static_cast<Const*>(copyObjectImpl(value));
    literal->consttype = TEXTOID;
    return reinterpret_cast<Node*>(literal);
  }
  const Oid collation = exprCollation(value);
  return reinterpret_cast<Node*>(makeRelabelType(reinterpret_cast<Expr*>(value), TEXTOID, -1,
                                                 OidIsValid(collation) ? collation : DEFAULT_COLLATION_OID,
                                                 COERCE_IMPLICIT_CAST));
}

Node* as_text_if_citext(Node* value) { return ignores_case(exprType(value)) ? as_text(value) : value; }

}  // namespace

// The library asks for the small letters of the database's collation, whatever that of the value is.
Node* in_small_letters(Node* value) {
  return reinterpret_cast<Node*>(called(kLower, list_make1(as_text(value)), DEFAULT_COLLATION_OID));
}

namespace {

List* each(List* values, Node* (*form)(Node*)) {
  List* formed = NIL;
  ListCell* cell;
  foreach (cell, values) formed = lappend(formed, form(static_cast<Node*>(lfirst(cell))));
  return formed;
}

Node* written_as(Oid function, List* arguments, Node* in_place_of) {
  FuncExpr* const call = called(function, arguments, DEFAULT_COLLATION_OID);
  call->location = exprLocation(in_place_of);
  return reinterpret_cast<Node*>(call);
}

// PostgreSQL's operator with that function over two texts.
Oid operator_with(Oid function) {
  constexpr const char* kNames[] = {"=",    "<>",  "<",    "<=",  ">",    ">=", "~<~",
                                    "~<=~", "~>~", "~>=~", "~~*", "!~~*", "~*", "!~*"};
  for (const char* const name : kNames) {
    const Oid op =
        OpernameGetOprid(list_make2(makeString(pstrdup("pg_catalog")), makeString(pstrdup(name))), TEXTOID, TEXTOID);
    if (OidIsValid(op) && get_opcode(op) == function) return op;
  }
  return InvalidOid;
}

Oid equality() { return lookup_type_cache(TEXTOID, TYPECACHE_EQ_OPR)->eq_opr; }

// Small letters are equal as bytes under every collation that can be admitted; their order is that of the operator's.
Oid collation_of(Oid op, Node* node) {
  const bool is_equality = op == equality() || op == get_negator(equality());
  return is_equality ? DEFAULT_COLLATION_OID : exprInputCollation(node);
}

// The array of texts that has that form of each element; nullptr where it is read from a row.
Node* each_element(Node* array, Node* (*form)(Node*)) {
  if (exprType(array) == TEXTARRAYOID && form == as_text) return array;
  if (IsA(array, ArrayExpr)) {
    auto* const copy = static_cast<ArrayExpr*>(copyObjectImpl(array));
    copy->elements = each(copy->elements, form);
    copy->array_typeid = TEXTARRAYOID;
    copy->element_typeid = TEXTOID;
    return reinterpret_cast<Node*>(copy);
  }
  if (reads_row(array)) return nullptr;
  auto* const element = makeNode(CaseTestExpr);
  element->typeId = get_element_type(exprType(array));
  element->typeMod = -1;
  element->collation = DEFAULT_COLLATION_OID;
  auto* const mapped = makeNode(ArrayCoerceExpr);
  mapped->arg = reinterpret_cast<Expr*>(array);
  mapped->elemexpr = reinterpret_cast<Expr*>(form(reinterpret_cast<Node*>(element)));
  mapped->resulttype = TEXTARRAYOID;
  mapped->resulttypmod = -1;
  mapped->resultcollid = DEFAULT_COLLATION_OID;
  mapped->coerceformat = COERCE_IMPLICIT_CAST;
  mapped->location = exprLocation(array);
  return reinterpret_cast<Node*>(mapped);
}

// x = ANY (array), x LIKE ANY (array) and the like.
Node* among(ScalarArrayOpExpr* node, const FunctionFacts& known) {
  Node* (*const form)(Node*) = known.citext.meaning == CitextMeaning::folded ? in_small_letters : as_text;
  Node* const array = each_element(static_cast<Node*>(lsecond(node->args)), form);
  if (array == nullptr) return reinterpret_cast<Node*>(node);
  auto* const copy = static_cast<ScalarArrayOpExpr*>(copyObjectImpl(node));
  copy->opno = operator_with(known.function);
  copy->opfuncid = known.function;
  copy->inputcollid = collation_of(copy->opno, reinterpret_cast<Node*>(node));
  copy->args = list_make2(form(static_cast<Node*>(linitial(node->args))), array);
  return reinterpret_cast<Node*>(copy);
}

// An operator, also as IS DISTINCT FROM.
Node* compared(Node* node, const FunctionFacts& known, List* arguments) {
  auto* const copy = reinterpret_cast<OpExpr*>(copyObjectImpl(node));
  copy->opno = operator_with(known.function);
  copy->opfuncid = known.function;
  copy->inputcollid = collation_of(copy->opno, node);
  copy->args = arguments;
  return reinterpret_cast<Node*>(copy);
}

// NULLIF(x, y), whose value is x as it is.
Node* null_if(const NullIfExpr* node) {
  auto* const alike = makeNode(OpExpr);
  alike->opno = equality();
  alike->opfuncid = get_opcode(alike->opno);
  alike->opresulttype = BOOLOID;
  alike->inputcollid = DEFAULT_COLLATION_OID;
  alike->args = each(node->args, in_small_letters);
  alike->location = node->location;
  auto* const value = static_cast<Node*>(linitial(node->args));
  return pg::case_when(alike, pg::null_like(value), copyObjectImpl(value), node->location);
}

bool has_letters(const char* text) {
  for (; *text != '\0'; ++text) {
    if (!isascii(*text) || isalpha(static_cast<unsigned char>(*text)) != 0) return true;
  }
  return false;
}

// split_part(x, '@', 2), which PostgreSQL's differs from in giving '' where there are not as many parts. Of a constant
// that has no letters, whose case would not matter.
Node* part(Oid split_part, const List* arguments, Node* node) {
  Node* const between = as_text(static_cast<Node*>(lsecond(arguments)));
  auto* const number = static_cast<Node*>(lthird(arguments));
  if (!IsA(between, Const) || castNode(Const, between)->constisnull || !IsA(number, Const) ||
      castNode(Const, number)->constisnull)
    return node;
  const char* const separator = TextDatumGetCString(castNode(Const, between)->constvalue);
  if (has_letters(separator)) return node;
  Node* const found = part_or_null(as_text(static_cast<Node*>(linitial(arguments))), separator,
                                   DatumGetInt32(castNode(Const, number)->constvalue), split_part, true);
  return found == nullptr ? node : found;
}

Node* translation(Oid translate, List* arguments, Node* node) {
  List* const texts = each(arguments, as_text_if_citext);
  auto* const letters = static_cast<Node*>(lsecond(texts));
  auto* const by = static_cast<Node*>(lthird(texts));
  Node* const small =
      written_as(translate, list_make3(linitial(texts), written_as(kLower, list_make1(letters), node), by), node);
  return written_as(
      translate, list_make3(small, written_as(kUpper, list_make1(copyObjectImpl(letters)), node), copyObjectImpl(by)),
      node);
}

Node* meant(Node* node, const FunctionFacts& known, List* arguments) {
  switch (known.citext.meaning) {
    case CitextMeaning::folded:
      return written_as(known.function, each(arguments, in_small_letters), node);
    case CitextMeaning::ignoring:
      return written_as(known.function, lappend(each(arguments, as_text_if_citext), constant_text("i")), node);
    case CitextMeaning::translation:
      return translation(known.function, arguments, node);
    case CitextMeaning::part:
      return part(known.function, arguments, node);
    default:
      return written_as(known.function, each(arguments, as_text_if_citext), node);
  }
}

// Functions of whatever is given take a citext by its output function, which is text's.
bool takes_anything(Oid function) {
  const FunctionFacts* const facts = facts_of(function);
  return facts != nullptr && facts->prints && get_func_rettype(function) == TEXTOID;
}

// What is counted once.
Node* distinct(Aggref* node) {
  if (node->aggdistinct == NIL || node->args == NIL) return reinterpret_cast<Node*>(node);
  const auto* const value = linitial_node(TargetEntry, node->args);
  if (!ignores_case(exprType(reinterpret_cast<Node*>(value->expr)))) return reinterpret_cast<Node*>(node);
  auto* const copy = static_cast<Aggref*>(copyObjectImpl(node));
  auto* const counted = linitial_node(TargetEntry, copy->args);
  counted->expr = reinterpret_cast<Expr*>(in_small_letters(reinterpret_cast<Node*>(counted->expr)));
  linitial_oid(copy->aggargtypes) = TEXTOID;
  const TypeCacheEntry* const order = lookup_type_cache(TEXTOID, TYPECACHE_LT_OPR | TYPECACHE_EQ_OPR);
  ListCell* cell;
  foreach (cell, copy->aggdistinct) {
    auto* const clause = lfirst_node(SortGroupClause, cell);
    if (clause->tleSortGroupRef == counted->ressortgroupref) pg::order_by(clause, order, false);
  }
  return reinterpret_cast<Node*>(copy);
}

}  // namespace

Node* labelled_as(Node* form, Node* written) {
  return reinterpret_cast<Node*>(makeRelabelType(reinterpret_cast<Expr*>(form), exprType(written), -1,
                                                 exprCollation(written), COERCE_IMPLICIT_CAST));
}

Node* without_extensions(Node* node) {
  if (IsA(node, Aggref)) return distinct(castNode(Aggref, node));
  if (IsA(node, CoerceViaIO) && ignores_case(exprType(reinterpret_cast<Node*>(castNode(CoerceViaIO, node)->arg)))) {
    auto* const cast = static_cast<CoerceViaIO*>(copyObjectImpl(node));
    cast->arg = reinterpret_cast<Expr*>(as_text(reinterpret_cast<Node*>(cast->arg)));
    return reinterpret_cast<Node*>(cast);
  }
  const auto [function, arguments] = called_by(node);
  if (!OidIsValid(function)) return node;
  if (takes_anything(function)) {
    Node* const copy = static_cast<Node*>(copyObjectImpl(node));
    List*& texts = IsA(copy, FuncExpr) ? castNode(FuncExpr, copy)->args : castNode(OpExpr, copy)->args;
    texts = each(texts, as_text_if_citext);
    return copy;
  }
  const FunctionFacts* const known = stands_for(function);
  if (known == nullptr) return node;
  if (IsA(node, FuncExpr)) return meant(node, *known, arguments);
  if (!is_operator_of_citext(operator_of(node)) || !OidIsValid(operator_with(known->function))) return node;
  if (IsA(node, ScalarArrayOpExpr)) return among(castNode(ScalarArrayOpExpr, node), *known);
  if (IsA(node, NullIfExpr)) return null_if(reinterpret_cast<NullIfExpr*>(node));
  return compared(
      node, *known,
      each(arguments, known->citext.meaning == CitextMeaning::folded ? in_small_letters : as_text_if_citext));
}

}  // namespace dp::guard
