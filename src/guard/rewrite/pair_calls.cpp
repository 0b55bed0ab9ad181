#include "guard/rewrite/pair_calls.h"

#include <algorithm>
#include <iterator>

#include "budget/catalog/extension_catalog.h"
#include "guard/functions/aggregates.h"
#include "guard/rewrite/aggregate_text.h"
#include "guard/rewrite/known_aggregates.h"
#include "guard/rewrite/refused_calls.h"

namespace dp::guard {
namespace {

// What is read off one vector.
struct SharedPairs {
  Expr* y;  // as the level writes them
  Expr* x;
  Expr* filter;  // likewise; nullptr: none
  bool squares;  // dp_regression, else dp_covariance
  List* calls;   // Aggref: different ones; count(*) behind the others
  Aggref* made;  // the private call; nullptr until somebody has made it
};

// What a call is called in dp_regression, and where x and y are exchanged; nullptr: then it is not there.
struct Field {
  const char* form;
  const char* name;
  const char* exchanged;
  bool squares;
};
constexpr Field kFields[] = {
    {"dp_regr_count", "count", "count", false},
    {"dp_regr_avgx", "avgx", "avgy", false},
    {"dp_regr_avgy", "avgy", "avgx", false},
    {"dp_regr_sxy", "sxy", "sxy", false},
    {"dp_covar_pop", "covar_pop", "covar_pop", false},
    {"dp_covar_samp", "covar_samp", "covar_samp", false},
    {"dp_regr_sxx", "sxx", "syy", true},
    {"dp_regr_syy", "syy", "sxx", true},
    {"dp_corr", "corr", "corr", true},
    {"dp_regr_r2", "r2", "r2", true},
    {"dp_regr_slope", "slope", nullptr, true},
    {"dp_regr_intercept", "intercept", nullptr, true},
};

const Field* field_named(const char* form) {
  const auto* const field = std::find_if(std::begin(kFields), std::end(kFields),
                                         [form](const Field& one) { return strcmp(one.form, form) == 0; });
  return field == std::end(kFields) ? nullptr : field;
}

// Of each row once.
const Field* field_of(const Aggref* call) {
  const char* const form = form_of_pairs(call->aggfnoid);
  return form == nullptr || call->aggdistinct != NIL || call->aggorder != NIL ? nullptr : field_named(form);
}

Expr* argument(const Aggref* call, int number) { return list_nth_node(TargetEntry, call->args, number)->expr; }

bool counts_rows(const Aggref* call) { return call->aggfnoid == kCountOfRows; }

// The name of what the vector says in the place of the call; nullptr: nothing.
const char* said_by(const SharedPairs& pairs, const Aggref* call) {
  if (!equal(pairs.filter, call->aggfilter)) return nullptr;
  if (counts_rows(call)) return list_member(pairs.calls, call) ? "rows" : nullptr;
  const Field* const field = field_of(call);
  if (field == nullptr) return nullptr;
  if (equal(pairs.y, argument(call, 0)) && equal(pairs.x, argument(call, 1))) return field->name;
  return equal(pairs.x, argument(call, 0)) && equal(pairs.y, argument(call, 1)) ? field->exchanged : nullptr;
}

SharedPairs* found_in(List* shared, const Aggref* call) {
  ListCell* cell;
  foreach (cell, shared) {
    auto* const one = static_cast<SharedPairs*>(lfirst(cell));
    if (said_by(*one, call) != nullptr) return one;
  }
  return nullptr;
}

void add_call(List** all, Aggref* call, bool exchangeable) {
  const Field* const field = field_of(call);
  if (field == nullptr || (field->exchanged != nullptr) != exchangeable) return;
  SharedPairs* pairs = found_in(*all, call);
  if (pairs == nullptr) {
    pairs = new (palloc(sizeof(SharedPairs)))
        SharedPairs{argument(call, 0), argument(call, 1), call->aggfilter, false, NIL, nullptr};
    *all = lappend(*all, pairs);
  }
  pairs->squares = pairs->squares || field->squares;
  pairs->calls = lappend(pairs->calls, call);
}

void add_count(List* all, Aggref* call) {
  ListCell* cell;
  foreach (cell, all) {
    auto* const pairs = static_cast<SharedPairs*>(lfirst(cell));
    if (!equal(pairs->filter, call->aggfilter)) continue;
    pairs->calls = lappend(pairs->calls, call);
    return;
  }
}

// The column of that name of a call that answers by a row.
Node* column_of(Aggref* made, const char* name) {
  const Oid row = get_typ_typrelid(made->aggtype);
  const AttrNumber number = get_attnum(row, name);
  if (number == InvalidAttrNumber) budget::refuse_other_version();
  auto* const part = makeNode(FieldSelect);
  part->arg = reinterpret_cast<Expr*>(made);
  part->fieldnum = number;
  part->resulttype = get_atttype(row, number);
  part->resulttypmod = -1;
  return reinterpret_cast<Node*>(part);
}

const char* name_of(const Aggref* call) { return get_func_name(call->aggfnoid); }

}  // namespace

bool is_form_of_pairs(const char* name) {
  return field_named(name) != nullptr || strcmp(name, "dp_covariance") == 0 || strcmp(name, "dp_regression") == 0;
}

void PairCalls::share(List* ordinary, const SharedVectors& vectors) {
  List* all = NIL;
  ListCell* cell;
  // Those that cannot be exchanged decide what is y.
  for (const bool exchangeable : {false, true})
    foreach (cell, ordinary) add_call(&all, lfirst_node(Aggref, cell), exchangeable);
  foreach (cell, ordinary) {
    auto* const call = lfirst_node(Aggref, cell);
    if (counts_rows(call) && vectors.of(call) == NIL) add_count(all, call);
  }
  foreach (cell, all)
    if (list_length(static_cast<const SharedPairs*>(lfirst(cell))->calls) > 1) shared_ = lappend(shared_, lfirst(cell));
}

// The bounds of y, then those of x.
List* PairCalls::ends_of(const Aggref* call, Expr* y, Expr* x) {
  const auto over = [this](Expr* expression) {
    return expression == nullptr ? nullptr
                                 : sources_.over_tables(static_cast<Node*>(copyObjectImpl(expression)), "an aggregate");
  };
  List* ends = NIL;
  for (Expr* const value : {y, x}) {
    // Values of public rows are not looked at: of them one value of a call can have its bounds.
    const ValueBounds found = bounds_of(over(value), over(call->aggfilter), sources_);
    if (!found.bounds) refuse_unbounded(call, found, sources_);
    bounds_->note(found);
    const Ends known = guard::ends_of(*found.bounds);
    ends = lappend(lappend(ends, number(known.lower)), number(known.upper));
  }
  return ends;
}

Aggref* PairCalls::made(const Aggref* call, const char* name, Expr* y, Expr* x) {
  return private_call(call, name, y, FLOAT8OID, lcons(x, ends_of(call, y, x)), defaults_);
}

Node* PairCalls::answer(const Aggref* call) {
  if (SharedPairs* const pairs = found_in(shared_, call)) {
    if (pairs->made == nullptr)
      pairs->made = made(linitial_node(Aggref, pairs->calls), pairs->squares ? "dp_regression" : "dp_covariance",
                         pairs->y, pairs->x);
    return column_of(pairs->made, said_by(*pairs, call));
  }
  const Field* const field = field_of(call);
  if (field == nullptr) return nullptr;
  return reinterpret_cast<Node*>(made(call, field->form, argument(call, 0), argument(call, 1)));
}

Aggref* PairCalls::completed(const Aggref* call) {
  List* values = NIL;
  ListCell* cell;
  foreach (cell, call->args) {
    Expr* const written = lfirst_node(TargetEntry, cell)->expr;
    const Oid type = exprType(reinterpret_cast<Node*>(written));
    if (!OidIsValid(number_type(type)) && type != UNKNOWNOID) return nullptr;
    Expr* const value = cast_value(written, FLOAT8OID);
    if (value == nullptr) return nullptr;
    values = lappend(values, value);
  }
  auto* const y = static_cast<Expr*>(linitial(values));
  if (list_length(values) == 2) return made(call, name_of(call), y, static_cast<Expr*>(lsecond(values)));
  return list_length(values) == 6
             ? private_call(call, name_of(call), y, FLOAT8OID, list_copy_tail(values, 1), defaults_)
             : nullptr;
}

List* PairCalls::texts() const {
  List* texts = NIL;
  ListCell* cell;
  if (shared_ == NIL) return NIL;
  const ColumnNames names(sources_.tables);
  foreach (cell, shared_)
    texts = lappend(texts,
                    makeString(text_of_calls(static_cast<const SharedPairs*>(lfirst(cell))->calls, sources_, names)));
  return texts;
}

}  // namespace dp::guard
