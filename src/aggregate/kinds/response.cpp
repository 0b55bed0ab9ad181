// Local privacy of a value among listed categories: dp_randomized_response and dp_unary_report randomise a row's own
// answer, dp_relax_response and dp_relax_unary_report make what was stored of it more accurate, and dp_rr_histogram
// estimates from responses. (From reports: report.cpp.)
#include "core/accumulate/response.h"

#include <numeric>

#include "aggregate/kinds/estimates.h"
#include "aggregate/kinds/histogram.h"
#include "aggregate/kinds/report.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

constexpr LocalFunction kRespond{"dp_randomized_response",
                                 "a value, an array of its type and epsilon",
                                 "dp_randomized_response(answer, ARRAY['no', 'yes'], 1)",
                                 1,
                                 "categories",
                                 2,
                                 1};
constexpr LocalFunction kRelax{"dp_relax_response",
                               "a value, a response, an array of their type, eps1 and eps2",
                               "dp_relax_response(answer, response, ARRAY['no', 'yes'], 1, 2)",
                               2,
                               "categories",
                               3,
                               2};
constexpr LocalFunction kReport{"dp_unary_report",
                                "a value, an array of its type and epsilon",
                                "dp_unary_report(ward, ARRAY['surgery', 'oncology'], 1)",
                                1,
                                "categories",
                                2,
                                1};
constexpr LocalFunction kRelaxReport{"dp_relax_unary_report",
                                     "a value, a report, an array of the value's type, eps1 and eps2",
                                     "dp_relax_unary_report(ward, report, ARRAY['surgery', 'oncology'], 1, 2)",
                                     2,
                                     "categories",
                                     3,
                                     2};

// The parameters of a call, kept from row to row in fn_extra while they are the same.
struct Question {
  Categories categories;
  double epsilons[2];
  Levels levels;
  MemoryContext memory;  // holds the categories and the array that they were read from
  ArrayType* list;

  bool is(const ArrayType* other_list, const double (&other)[2]) const {
    return epsilons[0] == other[0] && epsilons[1] == other[1] && VARSIZE(list) == VARSIZE(other_list) &&
           memcmp(list, other_list, VARSIZE(list)) == 0;
  }

  // The place of the value among the categories; nothing where it is NULL or none of them.
  std::optional<int> place_of(FunctionCallInfo fcinfo, int position) const {
    return PG_ARGISNULL(position) ? std::nullopt : categories.find(PG_GETARG_DATUM(position));
  }
};

// Which of the arguments and the result have the categories' type, and what the others have.
bool signature_fits(FunctionCallInfo fcinfo, const LocalFunction& function, bool reports) {
  if (PG_NARGS() != function.epsilons + function.levels) return false;
  const Oid type = get_element_type(get_fn_expr_argtype(fcinfo->flinfo, function.fixed));
  const Oid answer = reports ? VARBITOID : type;
  if (!OidIsValid(type) || get_fn_expr_argtype(fcinfo->flinfo, 0) != type) return false;
  if (function.levels == 2 && get_fn_expr_argtype(fcinfo->flinfo, 1) != answer) return false;
  for (int i = function.epsilons; i < PG_NARGS(); ++i) {
    if (get_fn_expr_argtype(fcinfo->flinfo, i) != FLOAT8OID) return false;
  }
  return get_fn_expr_rettype(fcinfo->flinfo) == answer;
}

Question* make_question(FunctionCallInfo fcinfo, const LocalFunction& function, bool reports, const ArrayType* list) {
  MemoryContext const memory = AllocSetContextCreate(fcinfo->flinfo->fn_mcxt, "dp_question", ALLOCSET_SMALL_SIZES);
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  auto* const question = static_cast<Question*>(palloc0(sizeof(Question)));
  question->memory = memory;
  question->list = static_cast<ArrayType*>(memcpy(palloc(VARSIZE(list)), list, VARSIZE(list)));
  question->levels = local_levels(fcinfo, function, reports ? kBitsOfOneHot : 1);
  question->categories =
      Categories::make(function.name, question->list,
                       get_element_type(get_fn_expr_argtype(fcinfo->flinfo, function.fixed)), PG_GET_COLLATION(),
                       reports ? "A value that is NULL sets no bit."
                               : "A value that is NULL is answered as the first category would be.");
  check_choice(question->categories.size);
  if (reports) check_report_size(function.name, question->categories.size);
  MemoryContextSwitchTo(outer);
  return question;
}

const Question& question_of(FunctionCallInfo fcinfo, const LocalFunction& function, bool reports) {
  auto* question = static_cast<Question*>(fcinfo->flinfo->fn_extra);
  if (question == nullptr && !signature_fits(fcinfo, function, reports)) refuse_local_signature(function);
  check_local_parameters(fcinfo, function);
  const ArrayType* const list = PG_GETARG_ARRAYTYPE_P(function.fixed);
  const double epsilons[] = {PG_GETARG_FLOAT8(function.epsilons),
                             function.levels == 2 ? PG_GETARG_FLOAT8(function.epsilons + 1) : 0};
  if (question != nullptr && question->is(list, epsilons)) return *question;
  // The first row, or another run of the same expression in PL/pgSQL.
  Question* const changed = make_question(fcinfo, function, reports, list);
  changed->epsilons[0] = epsilons[0];
  changed->epsilons[1] = epsilons[1];
  fcinfo->flinfo->fn_extra = changed;
  if (question != nullptr) MemoryContextDelete(question->memory);
  return *changed;
}

struct ResponsesCall : CategoriesCall {
  Estimates estimates;
};

// (response, categories, epsilon)
Call* prepare_responses(const Arguments& arguments) {
  auto* const call = make_call<ResponsesCall>();
  fill_categories(call, arguments);
  check_choice(call->size);
  call->estimates = make_estimates(call, arguments, 3, 1);
  return call;
}

}  // namespace

// Needs no preloading, as all functions here: nothing is charged, each row protects itself.
DP_SQL_FUNCTION(dp_randomized_response) {
  const Question& question = question_of(fcinfo, kRespond, false);
  const auto size = static_cast<std::size_t>(question.categories.size);
  const auto truth = static_cast<std::size_t>(question.place_of(fcinfo, 0).value_or(0));
  const auto response = noise::randomized_response(pg::random_bits(), truth, size, question.levels.fine);
  return question.categories.copy(static_cast<int>(response));
}

DP_SQL_FUNCTION(dp_relax_response) {
  const Question& question = question_of(fcinfo, kRelax, false);
  if (PG_ARGISNULL(1)) refuse_no_response(kRelax, "response", "dp_randomized_response(answer, categories, eps1)");
  const auto first = question.place_of(fcinfo, 1);
  if (!first) {
    Oid output;
    bool is_varlena;
    getTypeOutputInfo(question.categories.type, &output, &is_varlena);
    ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                    errmsg("response \"%s\" of dp_relax_response is none of the categories",
                           OidOutputFunctionCall(output, PG_GETARG_DATUM(1))),
                    errhint("Give the categories that it was drawn from by dp_randomized_response.")));
  }
  const auto size = static_cast<std::size_t>(question.categories.size);
  const auto truth = static_cast<std::size_t>(question.place_of(fcinfo, 0).value_or(0));
  const auto response = noise::relaxed_response(pg::random_bits(), truth, static_cast<std::size_t>(*first), size,
                                                question.levels.coarse, question.levels.fine);
  return question.categories.copy(static_cast<int>(response));
}

DP_SQL_FUNCTION(dp_unary_report) {
  const Question& question = question_of(fcinfo, kReport, true);
  VarBit* const report = new_report(question.categories.size);
  const std::optional<int> truth = question.place_of(fcinfo, 0);
  randomize(
      report, [&](int bit) { return truth == bit; }, question.levels.fine);
  PG_RETURN_VARBIT_P(report);
}

DP_SQL_FUNCTION(dp_relax_unary_report) {
  const Question& question = question_of(fcinfo, kRelaxReport, true);
  if (PG_ARGISNULL(1)) refuse_no_response(kRelaxReport, "report", "dp_unary_report(value, categories, eps1)");
  const VarBit* const first = PG_GETARG_VARBIT_P(1);
  check_length(kRelaxReport.name, first, question.categories.size);
  VarBit* const report = new_report(question.categories.size);
  const std::optional<int> truth = question.place_of(fcinfo, 0);
  relax(
      report, first, [&](int bit) { return truth == bit; }, question.levels);
  PG_RETURN_VARBIT_P(report);
}

// The aggregate is arithmetic on what is already private. On values that have not been randomised it is their exact
// histogram in disguise, so it is no private aggregate: a protected table must not admit it.
DP_SQL_FUNCTION(dp_rr_answer) {
  const auto& call = answering_call<ResponsesCall>(fcinfo);
  const auto counts = final_counts(fcinfo, call);
  const std::uint64_t responses = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  auto* const rows = static_cast<Datum*>(palloc(call.size * sizeof(Datum)));
  for (int i = 0; i < call.size; ++i) {
    rows[i] = estimate_row(call.estimates, call.categories.text_of(i),
                           estimate_truth(counts[i], responses, call.size, call.estimates.odds));
  }
  return estimates_answer(call.estimates, rows, call.size);
}

const Support kResponses{dp_categories_add, dp_rr_answer, prepare_responses, Release::none};

}  // namespace dp::aggregate
