// Reports of local privacy: dp_bloom_report and dp_relax_bloom_report of values that nobody can list beforehand, and
// what is estimated from reports, dp_unary_histogram and dp_bloom_histogram.
#include "aggregate/kinds/report.h"

#include <algorithm>
#include <vector>

#include "aggregate/call/local_supports.h"
#include "aggregate/kinds/estimates.h"
#include "aggregate/kinds/histogram.h"
#include "core/accumulate/bloom.h"
#include "pg/errors.h"

namespace dp::aggregate {
namespace {

constexpr LocalFunction kReport{"dp_bloom_report",
                                "a text, numbers of bits and hashes, and epsilon",
                                "dp_bloom_report(drug, 128, 2, 4)",
                                2,
                                "hashes",
                                3,
                                1};
constexpr LocalFunction kRelaxReport{"dp_relax_bloom_report",
                                     "a text, a report, a number of hashes, eps1 and eps2",
                                     "dp_relax_bloom_report(drug, report, 2, 4, 6)",
                                     2,
                                     "hashes",
                                     3,
                                     2};

// The parameters of a call, kept from row to row in fn_extra while they are the same: epsilons take long to read.
struct Question {
  int hashes;
  double epsilons[2];
  Levels levels;
};

void check_hashes(const char* function, int hashes) {
  if (hashes >= 1 && hashes <= kMostHashes) return;
  throw Error(std::string("hashes of ") + function + " must be from 1 to " + std::to_string(kMostHashes) + ", not " +
                  std::to_string(hashes),
              "A value sets so many bits. Two are usual: epsilon is divided among twice as many.");
}

void check_bits(const char* function, int bits, int hashes) {
  if (bits > hashes && bits <= kMostReportBits) return;
  throw Error(std::string("bits of ") + function + " must be more than its " + std::to_string(hashes) +
                  " hashes and at most " + std::to_string(kMostReportBits) + ", not " + std::to_string(bits),
              "Use a few times as many bits as there are frequent values, for example 128.");
}

bool signature_fits(FunctionCallInfo fcinfo, const LocalFunction& function) {
  if (PG_NARGS() != function.epsilons + function.levels) return false;
  const Oid types[] = {TEXTOID, function.levels == 2 ? Oid{VARBITOID} : Oid{INT4OID}, INT4OID, FLOAT8OID, FLOAT8OID};
  for (int i = 0; i < PG_NARGS(); ++i) {
    if (get_fn_expr_argtype(fcinfo->flinfo, i) != types[i]) return false;
  }
  return get_fn_expr_rettype(fcinfo->flinfo) == VARBITOID;
}

const Question& question_of(FunctionCallInfo fcinfo, const LocalFunction& function) {
  auto* question = static_cast<Question*>(fcinfo->flinfo->fn_extra);
  if (question == nullptr && !signature_fits(fcinfo, function)) refuse_local_signature(function);
  if (function.levels == 1) check_local_parameter(fcinfo, function, 1, "bits");
  check_local_parameters(fcinfo, function);
  const int hashes = PG_GETARG_INT32(function.fixed);
  const double first = PG_GETARG_FLOAT8(function.epsilons);
  const double second = function.levels == 2 ? PG_GETARG_FLOAT8(function.epsilons + 1) : 0;
  if (question != nullptr && question->hashes == hashes && question->epsilons[0] == first &&
      question->epsilons[1] == second) {
    return *question;
  }
  check_hashes(function.name, hashes);
  const Levels levels = local_levels(fcinfo, function, 2 * static_cast<unsigned>(hashes));
  if (question == nullptr) {
    question = static_cast<Question*>(MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(Question)));
  }
  *question = {hashes, {first, second}, levels};
  fcinfo->flinfo->fn_extra = question;
  return *question;
}

std::string_view view_of(const text* value) {
  return {VARDATA_ANY(value), static_cast<std::size_t>(VARSIZE_ANY_EXHDR(value))};
}

// The bits of the value in argument 0; none where it is NULL.
std::vector<bool> filter_of(FunctionCallInfo fcinfo, BloomShape shape) {
  std::vector<bool> filter(static_cast<std::size_t>(shape.bits));
  if (PG_ARGISNULL(0)) return filter;
  const text* const value = pg::call([&] { return PG_GETARG_TEXT_PP(0); });
  for (const int bit : bloom_bits(view_of(value), shape)) filter[static_cast<std::size_t>(bit)] = true;
  return filter;
}

// ---- from reports ---------------------------------------------------------------------------------------------------

// Of counts for each bit, and one of all reports behind them.
struct ReportsCall : HistogramCall {
  int bits;
  Estimates estimates;
};

struct UnaryCall : ReportsCall {
  Categories categories;
};

struct BloomCall : ReportsCall {
  int hashes;
  int candidates;
  char** names;
  double* inverse;  // invert_bloom
};

void fill_reports(ReportsCall* call, const Arguments& arguments, int bits, int count, unsigned parts) {
  if (arguments.type(0) != VARBITOID) arguments.refuse_signature();
  fill_counting(call, arguments, count - 1);
  call->bits = bits;
  call->size = bits + 1;
  call->estimates = make_estimates(call, arguments, count, parts);
}

// (report, categories, epsilon)
Call* prepare_unary(const Arguments& arguments) {
  const Oid type = get_element_type(arguments.type(1));
  if (!OidIsValid(type)) arguments.refuse_signature();
  auto* const call = make_call<UnaryCall>();
  ArrayType* const list = DatumGetArrayTypeP(arguments.constant(1, arguments.type(1), "categories"));
  call->categories = Categories::make(arguments.function(), list, type, arguments.collation(),
                                      "A value that is NULL sets no bit, and is estimated in no category.");
  check_choice(call->categories.size);
  check_report_size(arguments.function(), call->categories.size);
  fill_reports(call, arguments, call->categories.size, 3, kBitsOfOneHot);
  return call;
}

std::vector<std::vector<int>> filters_of(const BloomCall& call) {
  std::vector<std::vector<int>> filters;
  for (int i = 0; i < call.candidates; ++i) {
    filters.push_back(bloom_bits(call.names[i], {call.bits, call.hashes}));
  }
  return filters;
}

std::size_t numbers_of_inverse(const BloomCall& call) {
  const auto size = static_cast<std::size_t>(call.candidates + 1);
  return size * size;
}

// Solves least squares once for all groups. Nothing here may raise PostgreSQL's errors.
void fit(BloomCall* call, const char* function) {
  const auto filters = filters_of(*call);
  const std::size_t at_fault =
      invert_bloom(filters, {call->bits, call->hashes}, {call->inverse, numbers_of_inverse(*call)});
  if (at_fault == filters.size()) return;
  throw Error(std::string("candidate \"") + call->names[at_fault] + "\" of " + function +
                  " cannot be told from those before it",
              "Its bits are theirs. List each value once, and fewer of them, or collect reports with more bits.");
}

// (report, candidates, bits, hashes, epsilon)
Call* prepare_bloom(const Arguments& arguments) {
  auto* const call = make_call<BloomCall>();
  call->hashes = DatumGetInt32(arguments.constant(3, INT4OID, "hashes"));
  check_hashes(arguments.function(), call->hashes);
  const int bits = DatumGetInt32(arguments.constant(2, INT4OID, "bits"));
  check_bits(arguments.function(), bits, call->hashes);
  fill_reports(call, arguments, bits, 5, 2 * static_cast<unsigned>(call->hashes));
  ArrayType* const list = DatumGetArrayTypeP(arguments.constant(1, TEXTARRAYOID, "candidates"));
  Datum* names;
  bool* nulls;
  deconstruct_array(list, TEXTOID, -1, false, TYPALIGN_INT, &names, &nulls, &call->candidates);
  if (call->candidates < 1 || call->candidates > kMostCandidates) {
    throw Error("candidates of dp_bloom_histogram must be from 1 to " + std::to_string(kMostCandidates) + ", not " +
                    std::to_string(call->candidates),
                "List the values whose numbers you want, for example ARRAY['aspirin', 'heparin'].");
  }
  call->names = static_cast<char**>(palloc(call->candidates * sizeof(char*)));
  for (int i = 0; i < call->candidates; ++i) {
    if (nulls[i])
      throw Error("candidates must not contain NULL", "Who has no value sets no bit, and need not be listed.");
    call->names[i] = TextDatumGetCString(names[i]);
  }
  call->inverse = static_cast<double*>(palloc(numbers_of_inverse(*call) * sizeof(double)));
  fit(call, arguments.function());
  return call;
}

Datum add_report(FunctionCallInfo fcinfo, const char* function) {
  const auto& call = call_of<ReportsCall>(fcinfo);
  State* state = PG_ARGISNULL(0) ? nullptr : reinterpret_cast<State*>(PG_GETARG_POINTER(0));
  if (state == nullptr) {
    state = new_state(fcinfo, HistogramState::bytes(call.size), Tag::histogram);
    static_cast<HistogramState*>(state)->size = call.size;
  }
  if (PG_ARGISNULL(1)) PG_RETURN_POINTER(state);
  const VarBit* const report = PG_GETARG_VARBIT_P(1);
  check_length(function, report, call.bits);
  std::uint64_t* const counts = static_cast<HistogramState*>(state)->counts();
  for (int i = 0; i < call.bits; ++i) counts[i] += bit_of(report, i) ? 1 : 0;
  ++counts[call.bits];
  PG_RETURN_POINTER(state);
}

}  // namespace

void check_report_size(const char* function, int categories) {
  if (categories <= kMostReportBits) return;
  throw Error(std::string(function) + " takes at most " + std::to_string(kMostReportBits) + " categories, not " +
                  std::to_string(categories),
              "A report has a bit for each. For more, use dp_bloom_report.");
}

void check_length(const char* function, const VarBit* report, int bits) {
  if (VARBITLEN(report) == bits) return;
  ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                  errmsg("a report of %s has %d bits, and not %d", function, VARBITLEN(report), bits),
                  errhint("Give the same categories, or number of bits, as when the reports were drawn.")));
}

DP_SQL_FUNCTION(dp_bloom_report) {
  const Question& question = question_of(fcinfo, kReport);
  const int bits = PG_GETARG_INT32(1);
  check_bits(kReport.name, bits, question.hashes);
  VarBit* const report = new_report(bits);
  const std::vector<bool> filter = filter_of(fcinfo, {bits, question.hashes});
  randomize(
      report, [&](int bit) { return filter[static_cast<std::size_t>(bit)]; }, question.levels.fine);
  PG_RETURN_VARBIT_P(report);
}

DP_SQL_FUNCTION(dp_relax_bloom_report) {
  const Question& question = question_of(fcinfo, kRelaxReport);
  if (PG_ARGISNULL(1)) refuse_no_response(kRelaxReport, "report", "dp_bloom_report(value, bits, hashes, eps1)");
  const VarBit* const first = PG_GETARG_VARBIT_P(1);
  check_bits(kRelaxReport.name, VARBITLEN(first), question.hashes);
  VarBit* const report = new_report(VARBITLEN(first));
  const std::vector<bool> filter = filter_of(fcinfo, {VARBITLEN(first), question.hashes});
  relax(
      report, first, [&](int bit) { return filter[static_cast<std::size_t>(bit)]; }, question.levels);
  PG_RETURN_VARBIT_P(report);
}

DP_SQL_FUNCTION(dp_unary_add) { return add_report(fcinfo, "dp_unary_histogram"); }
DP_SQL_FUNCTION(dp_bloom_add) { return add_report(fcinfo, "dp_bloom_histogram"); }

DP_SQL_FUNCTION(dp_unary_answer) {
  const auto& call = answering_call<UnaryCall>(fcinfo);
  const auto counts = final_counts(fcinfo, call);
  auto* const rows = static_cast<Datum*>(palloc(call.bits * sizeof(Datum)));
  for (int i = 0; i < call.bits; ++i) {
    rows[i] = estimate_row(call.estimates, call.categories.text_of(i),
                           estimate_bit(counts[i], counts[call.bits], call.estimates.odds));
  }
  return estimates_answer(call.estimates, rows, call.bits);
}

DP_SQL_FUNCTION(dp_bloom_answer) {
  const auto& call = answering_call<BloomCall>(fcinfo);
  const auto counts = final_counts(fcinfo, call);
  auto* const rows = static_cast<Datum*>(palloc(call.candidates * sizeof(Datum)));
  auto* const estimates = static_cast<ResponseEstimate*>(palloc(call.candidates * sizeof(ResponseEstimate)));
  const auto bits = static_cast<std::size_t>(call.bits);
  std::ranges::copy(estimate_candidates(filters_of(call), {call.inverse, numbers_of_inverse(call)}, counts.first(bits),
                                        counts[bits], call.estimates.odds),
                    estimates);
  for (int i = 0; i < call.candidates; ++i) rows[i] = estimate_row(call.estimates, call.names[i], estimates[i]);
  return estimates_answer(call.estimates, rows, call.candidates);
}

const Support kUnaryReports{dp_unary_add, dp_unary_answer, prepare_unary, Release::none};
const Support kBloomReports{dp_bloom_add, dp_bloom_answer, prepare_bloom, Release::none};

}  // namespace dp::aggregate
