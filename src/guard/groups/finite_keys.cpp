#include "guard/groups/finite_keys.h"

#include "budget/catalog/unique_indexes.h"
#include "guard/functions/moment_fields.h"
#include "guard/groups/key_steps.h"
#include "guard/relations/open_lists.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

Node* whole_number(int value, Oid type) {
  if (type == INT4OID)
    return reinterpret_cast<Node*>(
        makeConst(INT4OID, -1, InvalidOid, sizeof(int32), Int32GetDatum(value), false, true));
  if (type == FLOAT8OID) {
    return reinterpret_cast<Node*>(
        makeConst(FLOAT8OID, -1, InvalidOid, sizeof(float8), Float8GetDatum(value), false, FLOAT8PASSBYVAL));
  }
  const Datum number = DirectFunctionCall1(int4_numeric, Int32GetDatum(value));
  return reinterpret_cast<Node*>(makeConst(NUMERICOID, -1, InvalidOid, -1, number, false, false));
}

// extract(dow FROM moment): each value, and NULL where the moment can be. (Infinite ones have none and are in no group
// where it cannot.) The hours of an interval can be others, and there are too many microseconds.
List* parts_of(FuncExpr* call, const List* nullable) {
  constexpr std::int64_t kMostParts = 1000;
  const MomentField* const field = field_of(static_cast<Node*>(linitial(call->args)));
  const Oid type = exprType(static_cast<Node*>(lsecond(call->args)));
  if (field == nullptr || !field->whole || (type != DATEOID && !is_timestamp(type))) return NIL;
  const WholeRange part = part_of(type, *field);
  if (part == kAnyNumber || part.upper - part.lower > kMostParts) return NIL;
  List* values = NIL;
  for (std::int64_t value = part.lower; value <= part.upper; ++value)
    values = lappend(values, whole_number(static_cast<int>(value), call->funcresulttype));
  if (list_intersection(pull_var_clause(reinterpret_cast<Node*>(call), 0), nullable) == NIL) return values;
  return lappend(values, makeNullConst(call->funcresulttype, -1, InvalidOid));
}

// How many buckets there are between the two outer ones, where that is written in the call, and not too many.
int inner_buckets(const FuncExpr* call) {
  constexpr int kMostBuckets = 1000;
  auto* const last = static_cast<Node*>(llast(call->args));
  if (!IsA(last, Const) || castNode(Const, last)->constisnull) return -1;
  const Datum value = castNode(Const, last)->constvalue;
  int count;
  if (list_length(call->args) == 4) {
    count = DatumGetInt32(value);
  } else {
    const ArrayType* const thresholds = DatumGetArrayTypeP(value);
    count = ArrayGetNItems(ARR_NDIM(thresholds), ARR_DIMS(thresholds)) - 1;  // n of them make n + 1 buckets
  }
  return count <= kMostBuckets ? count : -1;
}

// A column that is never NULL, also where it is cast to the type of the bounds: what else is computed may give NULL in
// place of an error.
bool is_column(Node* node, const List* nullable) {
  while (IsA(node, FuncExpr) && castNode(FuncExpr, node)->funcformat == COERCE_IMPLICIT_CAST)
    node = static_cast<Node*>(linitial(castNode(FuncExpr, node)->args));
  return IsA(node, Var) && !list_member(nullable, node);
}

// width_bucket(x, low, high, count) and width_bucket(x, thresholds): from the bucket below all others to that above,
// and NULL where x may be. (To the first one NaN has no bucket, and is in no group where x cannot be NULL.)
List* buckets_of(FuncExpr* call, const List* nullable) {
  const int inner = inner_buckets(call);
  if (inner < 0 || (inner == 0 && list_length(call->args) == 4)) return NIL;
  List* values = NIL;
  for (int bucket = 0; bucket <= inner + 1; ++bucket) values = lappend(values, whole_number(bucket, INT4OID));
  if (is_column(static_cast<Node*>(linitial(call->args)), nullable)) return values;
  return lappend(values, makeNullConst(INT4OID, -1, InvalidOid));
}

// Whether it is a value of the row that equals one of a list, and may be written in another way: 1.00 for 1.0.
bool may_look_different(Node* node) {
  const bool chosen = IsA(node, CaseExpr) && elements_chosen_from(castNode(CaseExpr, node)) != NIL;
  if (!chosen && !IsA(node, Var)) return false;
  return !budget::equals_have_same_bytes(exprType(node), exprCollation(node));
}

bool is_within(Node* whole, void* part) {
  if (whole == nullptr) return false;
  return equal(whole, part) || pg::walk(whole, is_within, part);
}

// The one part of a key that reads rows.
struct Part {
  const List* nullable;
  const AskedConditions& conditions;
  Node* key;
  Node* node;
  List* values;
};

// What the question lists of something computed. Of a part of the key only where that runs as it is written.
List* values_listed(Node* node, const Part& part) {
  if (node == part.key) return values_asked_for(part.conditions.key, node, part.conditions, true);
  if (!budget::equals_have_same_bytes(exprType(node), exprCollation(node))) return NIL;
  return is_within(part.conditions.key, node) ? values_asked_for(node, node, part.conditions, false) : NIL;
}

List* values_of(Node* node, const Part& part) {
  if (IsA(node, Var)) return values_asked_for(node, node, part.conditions, node == part.key);
  List* values = choices_of(node);
  if (IsA(node, FuncExpr) && meaning_of(castNode(FuncExpr, node)->funcid) == Meaning::extract)
    values = parts_of(castNode(FuncExpr, node), part.nullable);
  if (IsA(node, FuncExpr) && meaning_of(castNode(FuncExpr, node)->funcid) == Meaning::width_bucket)
    values = buckets_of(castNode(FuncExpr, node), part.nullable);
  const bool is_value = !IsA(node, List) && !IsA(node, CaseWhen) && contain_var_clause(node);
  return values == NIL && is_value ? values_listed(node, part) : values;
}

// False where another one was taken before.
bool take(Part* part, Node* node, List* values) {
  if (part->node != nullptr && !equal(node, part->node)) return false;
  part->node = node;
  part->values = values;
  return true;
}

bool find_part(Node* node, void* found) {
  if (node == nullptr) return false;
  auto* const part = static_cast<Part*>(found);
  if (part->node != nullptr && equal(node, part->node)) return false;
  // What is computed from it may tell apart what is equal; the key itself is compared.
  const bool known = node == part->key || !may_look_different(node);
  if (List* const values = known ? values_of(node, *part) : NIL; values != NIL) {
    // A choice below has values that are known more closely: quarters of the months of a list.
    Part below{part->nullable, part->conditions, part->key, nullptr, NIL};
    const bool chosen = choices_of(node) == NIL && !pg::walk(node, find_part, &below) && below.node != nullptr &&
                        choices_of(below.node) != NIL;
    return chosen ? !take(part, below.node, below.values) : !take(part, node, values);
  }
  if (IsA(node, Var) || (IsA(node, Param) && castNode(Param, node)->paramkind != PARAM_EXTERN)) return true;
  return pg::walk(node, find_part, found);
}

struct Replacement {
  Node* part;
  Node* value;
};

Node* replaced(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  auto* const what = static_cast<Replacement*>(context);
  if (equal(node, what->part)) return static_cast<Node*>(copyObjectImpl(what->value));
  return pg::mutate(node, replaced, context);
}

}  // namespace

List* choices_of(Node* key) {
  if (!IsA(key, CaseExpr)) return NIL;
  const auto* const choice = castNode(CaseExpr, key);
  if (List* const elements = elements_chosen_from(choice); elements != NIL) return elements;
  List* choices = NIL;
  ListCell* cell;
  foreach (cell, choice->args) choices = lappend(choices, lfirst_node(CaseWhen, cell)->result);
  if (choice->defresult != nullptr) choices = lappend(choices, choice->defresult);
  foreach (cell, choices) {
    auto* const one = static_cast<Node*>(lfirst(cell));
    if (!IsA(one, Const) && !(IsA(one, Param) && castNode(Param, one)->paramkind == PARAM_EXTERN)) return NIL;
  }
  return choices;
}

List* finite_values(Node* key, const List* nullable, const AskedConditions& conditions) {
  Part part{nullable, conditions, key, nullptr, NIL};
  if (find_part(key, &part) || part.node == nullptr) return NIL;
  if (part.node == key) return part.values;
  List* values = NIL;
  ListCell* cell;
  foreach (cell, part.values) {
    Replacement replacement{part.node, static_cast<Node*>(lfirst(cell))};
    values = lappend(values, replaced(key, &replacement));
  }
  return values;
}

}  // namespace dp::guard
