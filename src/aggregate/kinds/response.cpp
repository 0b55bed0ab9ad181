// Local privacy: dp_randomized_response randomises a row's own answer, dp_rr_histogram estimates from such responses.
#include "core/accumulate/response.h"

#include <numeric>

#include "aggregate/kinds/histogram.h"
#include "core/noise/selection.h"
#include "pg/errors.h"
#include "pg/random_bits.h"

namespace dp::aggregate {
namespace {

void check_choice(int categories) {
  if (categories >= 2) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("randomized response needs at least two categories"),
                  errhint("List every answer that can be given, for example ARRAY['yes', 'no'].")));
}

// The parameters of a dp_randomized_response call, kept from row to row in fn_extra while they are the same.
struct Question {
  Categories categories;
  double epsilon;
  noise::Ratio rate;
  MemoryContext memory;  // holds the categories and the array that they were read from
  ArrayType* list;

  bool is(const ArrayType* other_list, double other_epsilon) const {
    return epsilon == other_epsilon && VARSIZE(list) == VARSIZE(other_list) &&
           memcmp(list, other_list, VARSIZE(list)) == 0;
  }
};

// The argument at that position must not be NULL, and must be the same for every row: if the value could choose its own
// epsilon or categories, the response would not be private.
void check_parameter(FunctionCallInfo fcinfo, int position, const char* name, bool first) {
  Node* const call = fcinfo->flinfo->fn_expr;
  if (first && call != nullptr && IsA(call, FuncExpr)) {
    List* const arguments = castNode(FuncExpr, call)->args;
    if (position < list_length(arguments) && !same_for_every_row(static_cast<Node*>(list_nth(arguments, position)))) {
      ereport(ERROR,
              (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
               errmsg("%s of dp_randomized_response must be the same for every row", name),
               errhint("Write a constant or a parameter ($1), not a column, a subquery or a changing function.")));
    }
  }
  if (PG_ARGISNULL(position)) {
    ereport(ERROR,
            (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("%s of dp_randomized_response must not be NULL", name),
             errhint("Give a value; there is no default that would be safe.")));
  }
}

[[noreturn]] void refuse_signature() {
  ereport(ERROR, (errcode(ERRCODE_INVALID_FUNCTION_DEFINITION),
                  errmsg("dp_randomized_response takes a value, an array of its type and epsilon"),
                  errhint("Use the function as pg_dp declares it.")));
  pg_unreachable();
}

Question* make_question(FunctionCallInfo fcinfo, const ArrayType* list, double epsilon) {
  const Oid type = get_element_type(get_fn_expr_argtype(fcinfo->flinfo, 1));
  if (!OidIsValid(type) || get_fn_expr_argtype(fcinfo->flinfo, 0) != type ||
      get_fn_expr_rettype(fcinfo->flinfo) != type) {
    refuse_signature();
  }
  MemoryContext const memory =
      AllocSetContextCreate(fcinfo->flinfo->fn_mcxt, "dp_randomized_response", ALLOCSET_SMALL_SIZES);
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  auto* const question = static_cast<Question*>(palloc0(sizeof(Question)));
  question->memory = memory;
  question->list = static_cast<ArrayType*>(memcpy(palloc(VARSIZE(list)), list, VARSIZE(list)));
  question->epsilon = epsilon;
  question->rate = mechanism::Epsilon::from(epsilon).per(1);
  question->categories = Categories::make("dp_randomized_response", question->list, type, PG_GET_COLLATION(),
                                          "A value that is NULL is answered as the first category would be.");
  check_choice(question->categories.size);
  MemoryContextSwitchTo(outer);
  return question;
}

const Question& question_of(FunctionCallInfo fcinfo) {
  if (PG_NARGS() != 3 || get_fn_expr_argtype(fcinfo->flinfo, 2) != FLOAT8OID) refuse_signature();
  auto* question = static_cast<Question*>(fcinfo->flinfo->fn_extra);
  const bool first = question == nullptr;  // later calls have the same expressions, though their values may differ
  check_parameter(fcinfo, 1, "categories", first);
  check_parameter(fcinfo, 2, "epsilon", first);
  const ArrayType* const list = PG_GETARG_ARRAYTYPE_P(1);
  const double epsilon = PG_GETARG_FLOAT8(2);
  if (question != nullptr && question->is(list, epsilon)) return *question;
  // The first row, or another run of the same expression in PL/pgSQL.
  Question* const changed = make_question(fcinfo, list, epsilon);
  fcinfo->flinfo->fn_extra = changed;
  if (question != nullptr) MemoryContextDelete(question->memory);
  return *changed;
}

struct ResponsesCall : CategoriesCall {
  TupleDesc estimate;  // (category text, estimate float8, standard_error float8)
};

// (response, categories, epsilon)
Call* prepare_responses(const Arguments& arguments) {
  auto* const call = make_call<ResponsesCall>();
  fill_categories(call, arguments);
  check_choice(call->size);
  call->answer_type = arguments.declared_answer();
  const Oid row = get_element_type(call->answer_type);
  if (arguments.count() != 3 || !OidIsValid(row) || !type_is_rowtype(row)) arguments.refuse_signature();
  call->estimate = lookup_rowtype_tupdesc_copy(row, -1);
  constexpr Oid kColumns[] = {TEXTOID, FLOAT8OID, FLOAT8OID};
  if (call->estimate->natts != static_cast<int>(std::size(kColumns))) arguments.refuse_signature();
  for (int i = 0; i < call->estimate->natts; ++i) {
    if (TupleDescAttr(call->estimate, i)->atttypid != kColumns[i]) arguments.refuse_signature();
  }
  return call;
}

}  // namespace

// dp_randomized_response(value, categories, epsilon) returns the value's type. Needs no preloading: nothing is charged
// here, each row protects itself.
DP_SQL_FUNCTION(dp_randomized_response) {
  const Question& question = question_of(fcinfo);
  const Categories& categories = question.categories;
  const int truth = PG_ARGISNULL(0) ? 0 : categories.find(PG_GETARG_DATUM(0)).value_or(0);
  const auto response = noise::randomized_response(pg::random_bits(), static_cast<std::size_t>(truth),
                                                   static_cast<std::size_t>(categories.size), question.rate);
  return categories.copy(static_cast<int>(response));
}

// The aggregate is arithmetic on what is already private. On values that have not been randomised it is their exact
// histogram in disguise, so it is no private aggregate: a protected table must not admit it.
DP_SQL_FUNCTION(dp_rr_answer) {
  const auto& call = answering_call<ResponsesCall>(fcinfo);
  const auto counts = final_counts(fcinfo, call);
  const std::uint64_t responses = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  const Oid row = call.estimate->tdtypeid;
  auto* const rows = static_cast<Datum*>(palloc(call.size * sizeof(Datum)));
  for (int i = 0; i < call.size; ++i) {
    const ResponseEstimate estimate = estimate_truth(counts[i], responses, call.size, call.epsilon);
    Datum values[] = {CStringGetTextDatum(call.categories.text_of(i)), Float8GetDatum(estimate.count),
                      Float8GetDatum(estimate.standard_error)};
    bool nulls[std::size(values)] = {};
    rows[i] = HeapTupleGetDatum(heap_form_tuple(call.estimate, values, nulls));
  }
  PG_RETURN_ARRAYTYPE_P(construct_array(rows, call.size, row, -1, false, TYPALIGN_DOUBLE));
}

const Support kResponses{dp_categories_add, dp_rr_answer, prepare_responses, Release::none};

}  // namespace dp::aggregate
