// What is known of PostgreSQL's functions: one row for each, in files by subject, found by OID. Whoever wants to know
// what may be called on the rows of a protected table, in which form, and what comes out, asks here.
//
// A row is a promise: sql/total_functions tries each over the extreme values of its types, sql/function_facts over
// others.
//
// An admitted function is a function of the row, of its values alone: not of where these lie, nor how they are stored
// (sql/guard_evidence). Values may be of any size that PostgreSQL stores: each row says how results and memory grow,
// and admission/growth.h keeps what is nested below 16 MB. What only reads its arguments (kReads) takes values as they
// are stored, up to 1 GB: an index must find `name = 'x'` as it was written, and bringing a value into memory is all
// that can fail there, as it can in any statement.
#pragma once

#include <cstdint>
#include <span>

#include "guard/functions/meaning.h"

namespace dp::guard {

// For which arguments a function gives a result for every row (admission/total_functions.h): for none that is known,
// for all, or for those of which admission/total_conditions.h finds it.
enum class Total : std::uint8_t {
  unknown,
  always,
  if_pattern,
  if_pattern_of_letters,
  if_regular_expression,
  if_letters,
  if_length,
  if_part,
  if_not_longer,
  if_written_cast,
  if_divisor,
  if_modulus,
  if_few_digits,
  if_field,
  if_start_of_field,
  if_thresholds,
  if_equal_elements,
  if_ordered_elements,
  if_own_ranges,
  if_contains_constant,
  if_constant_contains
};

// Why a function that is asked for often is not total (admission/total_functions.cpp).
enum class Failure : std::uint8_t {
  unknown,
  sum,
  difference,
  product,
  quotient,
  remainder,
  smallest_integer,
  domain,
  to_integer,
  narrower,
  precision,
  from_json,
  moved_moment,
  moment_cast,
  time_zone,
  part_of_date,
  truncated_moment,
  bucket,
  joined_text,
  shown_moment,
  shown_number,
  read_moment,
  read_number,
  digest,
  regular_expression
};

// How large a result can be, and the largest piece of memory that a call asks for beside its arguments, which are
// there: at most `factor` (`workspace`) times the largest argument, and `extra` bytes.
struct Growth {
  int factor;
  int workspace;
  int extra;
};

// Reads its arguments as they are; the result has a fixed size, or is a few bytes.
inline constexpr Growth kReads{0, 0, 0};
// No more than the argument; a growing buffer is up to twice as long as what is in it.
inline constexpr Growth kCopies{1, 2, 200};
// ICU: three characters for one; its buffers have three bytes for each of these.
inline constexpr Growth kLetters{4, 9, 64};
// Of our own: texts of at most 1 MB, also of a single letter (repeat, lpad), numbers of at most all digits.
inline constexpr Growth kOwn{2, 4, 1 << 20};

// What a call lacks that is written shorter than another one: which that has in its place.
enum class Lacking : std::uint8_t {
  nothing,
  zero_before,   // -x: 0 - x
  zero_behind,   // round(x): round(x, 0)
  ten_before,    // log(x): log(10, x)
  blank_behind,  // lpad(t, 5): lpad(t, 5, ' ')
  today_before,  // age(d): age(current_date, d)
  cast_to_text   // t || x: t || x::text
};

struct Longer {
  Oid function = InvalidOid;
  Lacking lacking = Lacking::nothing;
};

// What a call is written out as: with others that have total forms or are total (forms/written_out.h).
enum class Written : std::uint8_t {
  as_it_is,
  day_and_time,  // date + time: the date and an interval
  time_and_day,
  spans_by_length,  // (a, i) OVERLAPS (c, j) with intervals: (a, a + i) OVERLAPS (c, c + j)
  first_by_length,  // (a, i) OVERLAPS (c, d)
  second_by_length,
  concatenated,    // format()
  matched,         // regexp_like(x, p): x ~ p
  matched_text,    // regexp_substr(x, p): substring(x FROM p)
  matched_parts,   // (regexp_match(x, p))[n]: substring(x FROM p) with one group
  separated_parts  // (string_to_array(x, s))[n]: split_part(x, s, n)
};

struct WrittenOut {
  Written how = Written::as_it_is;
  Oid with = InvalidOid;  // that function
};

// The function of ours that does the same and gives NULL in the place of an error: of the same arguments, found by its
// name. It stands in where a call with its arguments may raise one, or wherever a row is read.
struct TotalForm {
  const char* name = nullptr;  // nullptr: there is none
  bool wherever_rows_are_read = false;
  int fixed = -1;  // which argument must not read a row, and is tried before any is read: a field such as 'month'
  bool never_null = false;  // it gives NULL for no value of the ranges that columns have
  bool of_pattern = false;  // a regular expression, the second argument, which it takes as a constant that is plain
};

// How PostgreSQL's function stands for one of citext, which takes texts in letters of either case.
enum class CitextMeaning : std::uint8_t {
  same,         // with the same arguments as texts
  folded,       // with the arguments as texts in small letters
  ignoring,     // with the arguments as texts, and the flag 'i' behind them
  translation,  // translate(), once for small letters and once for large ones
  part          // split_part(), which is NULL where there are not as many parts
};

// The function of the extension citext that it stands for, as that is made (forms/extension_functions.h).
struct OfCitext {
  Oid language = InvalidOid;
  const char* symbol = nullptr;  // of functions in SQL: the name
  int arguments = 0;
  CitextMeaning meaning = CitextMeaning::same;
};

// Whole numbers, both ends included.
struct WholeRange {
  std::int64_t lower;
  std::int64_t upper;

  bool operator==(const WholeRange&) const = default;
};
inline constexpr WholeRange kAnyNumber{PG_INT64_MIN, PG_INT64_MAX};

struct FunctionFacts {
  Oid function = InvalidOid;
  Meaning meaning = Meaning::none;
  Total total = Total::unknown;
  Growth growth = kOwn;
  Failure failure = Failure::unknown;
  TotalForm form{};
  Oid as_wider = InvalidOid;  // the operator of two values of the wider of its types, which does the same
  Longer longer{};            // the function that is meant, and what it has besides
  WrittenOut written_out{};
  Oid as_json = InvalidOid;        // of what gives a part of a jsonb as text: what gives it as jsonb
  WholeRange values = kAnyNumber;  // between which numbers its values lie, whatever the arguments
  bool never_null = false;         // has a value for all values of its arguments, and for NULL none
  bool null_if_endless = false;    // the same of all but infinite ones and NaN
  bool sorts = false;         // made for ordering, hashing or comparing in indexes and sorts: never called as a value
  bool orders_parts = false;  // sorts by the order of another type: that of elements, of the ends of ranges
  bool shows_digits = false;  // tells numerics apart that are equal: scale(1.0), scale(1.00)
  bool ignores_case = false;  // is a match in which letters of either case are the same
  OfCitext citext{};
  bool prints = false;  // calls the output function of whatever type it is given, or reads the labels of an enum
};

// nullptr for a function of which nothing is known, as for those that are not PostgreSQL's own.
const FunctionFacts* facts_of(Oid function);

// How a call of it is written out.
WrittenOut written_out_as(Oid function);

// Whether a call of it may have a total form: the function, or what it is short for, has one.
bool may_have_total_form(Oid function);

// All of them, by OID.
std::span<const FunctionFacts> all_function_facts();

// Those that stand for one of citext.
std::span<const FunctionFacts* const> functions_of_citext();

// How large the result of an admitted function gets: of our own functions, too.
Growth growth_of(Oid function);

// Whether it has a value for all values of its arguments, or for all `finite` ones: of PostgreSQL's functions and of
// their total forms.
bool is_never_null(Oid function, bool finite);

}  // namespace dp::guard
