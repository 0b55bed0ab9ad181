#include "guard/admission/total_conditions.h"

#include <algorithm>
#include <iterator>

#include "guard/admission/objects.h"
#include "guard/admission/regular_expression.h"
#include "guard/facts/digits.h"
#include "guard/functions/constants.h"
#include "guard/functions/moment_fields.h"

namespace dp::guard {
namespace {

constexpr Verdict kTotal{nullptr, nullptr};

struct Bytes {
  const char* data;
  int size;
};

Bytes bytes(Datum value) {
  const auto* const packed = reinterpret_cast<const varlena*>(PG_DETOAST_DATUM_PACKED(value));
  return {VARDATA_ANY(packed), static_cast<int>(VARSIZE_ANY_EXHDR(packed))};
}

// ---- texts --------------------------------------------------------------------------------------------------------

// LIKE reads a pattern only as far as the row's text leads it, so an error at its end would tell of the row; and it
// recurses at each %.
Verdict judge_pattern(const Bytes& text) {
  constexpr int kLongest = 1000;
  if (text.size > kLongest) return {"its pattern has more than 1000 bytes", "Ask for a shorter part of the text."};
  for (int i = 0; i < text.size; ++i) {
    if (text.data[i] != '\\') continue;
    if (++i == text.size)
      return {"its pattern ends with the escape character", "Double the last backslash: LIKE 'a\\\\'."};
  }
  return kTotal;
}

// LIKE ANY (...) and LIKE ALL (...).
Verdict judge_patterns(const Const* array) {
  Datum* patterns;
  bool* nulls;
  int size;
  const Oid element = get_element_type(array->consttype);
  deconstruct_array(DatumGetArrayTypeP(array->constvalue), element, -1, false, TYPALIGN_INT, &patterns, &nulls, &size);
  for (int i = 0; i < size; ++i) {
    const Verdict verdict = nulls[i] ? kTotal : judge_pattern(bytes(patterns[i]));
    if (verdict.obstacle != nullptr) return verdict;
  }
  return kTotal;
}

Verdict pattern(Oid, List* arguments, Oid) {
  const Const* const value = constant(arguments, 1);
  if (value == nullptr) {
    return {"its pattern is not a constant",
            "Write the pattern as a literal; starts_with(x, y) and position(y in x) > 0 take any text."};
  }
  if (value->constisnull) return kTotal;
  switch (value->consttype) {
    case TEXTOID:
    case VARCHAROID:
    case BYTEAOID:
      return judge_pattern(bytes(value->constvalue));
    case TEXTARRAYOID:
    case VARCHARARRAYOID:
    case BYTEAARRAYOID:
      return judge_patterns(value);
    default:
      return {"its pattern is of another type", "Cast the pattern to text."};
  }
}

// In other encodings the C library may know fewer characters than PostgreSQL, and PostgreSQL raises an error for the
// rest.
Verdict letters(Oid, List*, Oid) {
  if (GetDatabaseEncoding() == PG_UTF8 || pg_database_encoding_max_length() == 1) return kTotal;
  return {"it can fail on characters of this database's encoding", "Compare without it: x IN ('a', 'A')."};
}

Verdict pattern_of_letters(Oid function, List* arguments, Oid collation) {
  const Verdict verdict = letters(function, arguments, collation);
  return verdict.obstacle != nullptr ? verdict : pattern(function, arguments, collation);
}

Verdict regular(Oid function, List* arguments, Oid collation) {
  const FunctionFacts* const facts = facts_of(function);
  const bool ignores_case = facts != nullptr && facts->ignores_case;
  return judge_regular_expression(static_cast<Node*>(lsecond(arguments)), true, {collation, ignores_case});
}

Verdict length_of_part(Oid, List* arguments, Oid) {
  const Const* const value = constant(arguments, 2);
  if (value != nullptr && (value->constisnull || integer(value, -1) >= 0)) return kTotal;
  return {"it fails on a negative length, and this one is no constant from 0 up",
          "Give the length as a constant: substr(x, 1, 3)."};
}

Verdict number_of_part(Oid, List* arguments, Oid) {
  const Const* const value = constant(arguments, 2);
  if (value != nullptr && (value->constisnull || integer(value, 0) != 0)) return kTotal;
  return {"it fails on part 0, and this one is no constant other than 0",
          "Give the part as a constant: split_part(x, '@', 2)."};
}

// Replacement texts must not be longer than what they replace: nested calls would make a text of any length.
Verdict not_longer(Oid, List* arguments, Oid) {
  const Const* const from = constant(arguments, 1);
  const Const* const to = constant(arguments, 2);
  if (from != nullptr && to != nullptr) {
    if (from->constisnull || to->constisnull) return kTotal;
    const int replaced = bytes(from->constvalue).size;  // an empty text is found nowhere
    if (replaced == 0 || bytes(to->constvalue).size <= replaced) return kTotal;
  }
  return {"its result can be longer than its argument",
          "Replace a constant by one that is not longer: replace(x, ' - ', '-')."};
}

// Explicit casts to varchar(n) and char(n) cut what is too long, implicit ones raise an error. char(n) pads every text
// to its length.
Verdict written_cast(Oid function, List* arguments, Oid) {
  constexpr int kLongest = 1000;
  const Const* const length = constant(arguments, 1);
  const Const* const is_explicit = constant(arguments, 2);
  if (is_explicit == nullptr || is_explicit->constisnull || !DatumGetBool(is_explicit->constvalue)) {
    return {"it fails on texts that are too long", "Write the cast, which cuts them: x::varchar(10)."};
  }
  if (get_func_rettype(function) == BPCHAROID &&
      (length == nullptr || integer(length, INT64_MAX) > kLongest + VARHDRSZ)) {
    return {"it makes texts of more than 1000 characters", "Use varchar(n), which adds no blanks."};
  }
  return kTotal;
}

// ---- numbers ------------------------------------------------------------------------------------------------------

Verdict divisor(Oid, List* arguments, Oid) {
  const Const* const value = constant(arguments, 1);
  if (value != nullptr && (value->constisnull || (integer(value, 0) != 0 && integer(value, 0) != -1))) return kTotal;
  return {"it fails on division by zero or on overflow, unless the divisor is a constant other than 0 and -1",
          "Use dp_div(x, y), which gives NULL there."};
}

Verdict modulus(Oid, List* arguments, Oid) {
  const Const* const value = constant(arguments, 1);
  if (value != nullptr && (value->constisnull || integer(value, 0) != 0)) return kTotal;
  return {"it fails on division by zero, unless the divisor is a constant other than 0",
          "Use dp_mod(x, y), which gives NULL there."};
}

// A numeric without a precision may have 131072 digits before the point: no room for one more.
Verdict few_digits(Oid function, List* arguments, Oid) {
  if (has_few_digits(function, arguments)) return kTotal;
  if (get_func_rettype(function) != NUMERICOID) {
    return {
        "it fails on numbers that are too large or too small for it, unless the column is numeric(p, s) with few "
        "digits",
        "Use dp_try_float(x), which gives NULL there, or compare with a numeric: x < 0.5::numeric."};
  }
  return {"it can overflow, unless the column is numeric(p, s)",
          "Use dp_bucket(x, 1) to round down, dp_round(x, 2) to round, trunc(x) to round towards zero."};
}

// ---- moments ------------------------------------------------------------------------------------------------------

// A field that exists for a type has a result for each of its values, NULL or infinity for an infinite one.
Verdict part_of_moment(Oid, List* arguments, Oid) {
  const Const* const field = constant(arguments, 0);
  if (field != nullptr && field->constisnull) return kTotal;
  const MomentField* const known = field == nullptr ? nullptr : field_of(reinterpret_cast<const Node*>(field));
  if (known != nullptr && has_field(exprType(static_cast<Node*>(lsecond(arguments))), known->field)) return kTotal;
  return {"its field is no constant that this type has",
          "Name it: extract(year FROM x), extract(dow FROM x), extract(epoch FROM x)."};
}

// The first timestamp there is, below which date_trunc must not go, is a midnight in UTC, but not the start of a week,
// month or year; in other zones not even of an hour.
Verdict start_of_part(Oid, List* arguments, Oid) {
  constexpr const char* kHint = "Use dp_trunc('month', x), which gives NULL there.";
  const Const* const field = constant(arguments, 0);
  if (field == nullptr) return {"its field is not a constant", kHint};
  if (field->constisnull) return kTotal;
  const MomentField* const known = field_of(reinterpret_cast<const Node*>(field));
  const bool zoned = exprType(static_cast<Node*>(lsecond(arguments))) != TIMESTAMPOID;
  if (known != nullptr && known->field <= (zoned ? Field::second : Field::day)) return kTotal;
  return {"it fails near 4713 BC, or the field is none", kHint};
}

// ---- containers ---------------------------------------------------------------------------------------------------

constexpr Verdict kUnknownElements{"the elements are compared by a function that is not known to be total",
                                   "Look for one element: 'a' = ANY (x)."};

Oid element_of(List* arguments) {
  return get_element_type(getBaseType(exprType(static_cast<Node*>(linitial(arguments)))));
}

Verdict equal_elements(Oid, List* arguments, Oid) {
  const Oid element = element_of(arguments);
  if (!OidIsValid(element)) return kUnknownElements;
  const Oid equality = lookup_type_cache(element, TYPECACHE_EQ_OPR)->eq_opr;
  return is_admitted_operator(equality) && is_always_total(get_opcode(equality)) ? kTotal : kUnknownElements;
}

Verdict ordered_elements(Oid, List* arguments, Oid) {
  const Oid element = element_of(arguments);
  if (!OidIsValid(element)) return kUnknownElements;
  return is_total_order(lookup_type_cache(element, TYPECACHE_CMP_PROC)->cmp_proc, element) ? kTotal : kUnknownElements;
}

Verdict thresholds(Oid function, List* arguments, Oid collation) {
  const Const* const value = constant(arguments, 1);
  if (value == nullptr) return {"its thresholds are not a constant", "Write them: width_bucket(x, ARRAY[0, 18, 65])."};
  if (!value->constisnull) {
    ArrayType* const array = DatumGetArrayTypeP(value->constvalue);
    if (ARR_NDIM(array) > 1) {
      return {"its thresholds have more than one dimension", "Write them: width_bucket(x, ARRAY[0, 18, 65])."};
    }
    if (array_contains_nulls(array))
      return {"its thresholds hold NULL", "Write them: width_bucket(x, ARRAY[0, 18, 65])."};
  }
  return ordered_elements(function, list_make1(lsecond(arguments)), collation);
}

// PostgreSQL's own ranges, whose ends are compared by functions that are total.
Verdict own_ranges(Oid, List* arguments, Oid) {
  ListCell* cell;
  foreach (cell, arguments) {
    const Oid type = getBaseType(exprType(static_cast<Node*>(lfirst(cell))));
    if (type_is_range(type) && type >= FirstUnpinnedObjectId) {
      return {"its range is of a type that is not PostgreSQL's own", "Compare the ends where they are columns."};
    }
  }
  return kTotal;
}

// Containment of jsonb recurses as deep as the value that is looked for.
template <int place>
Verdict small_pattern(Oid, List* arguments, Oid) {
  const Const* const value = constant(arguments, place);
  if (value != nullptr && (value->constisnull || bytes(value->constvalue).size <= 1000)) return kTotal;
  return {"what is looked for is no constant of at most 1000 bytes", "Compare single fields: x ->> 'key' = 'value'."};
}

struct Condition {
  Total when;
  const char* in_words;  // what is asked for
  Verdict (*judge)(Oid function, List* arguments, Oid collation);
};

constexpr Condition kConditions[] = {
    {Total::if_pattern, "the pattern is a constant of at most 1000 bytes that does not end with the escape character",
     pattern},
    {Total::if_pattern_of_letters, "as LIKE, in a database in UTF8 or an encoding of single bytes", pattern_of_letters},
    {Total::if_regular_expression, "the pattern is a constant of at most 200 bytes without back references", regular},
    {Total::if_letters, "the database is in UTF8 or an encoding of single bytes", letters},
    {Total::if_length, "the length is a constant from 0 up", length_of_part},
    {Total::if_part, "the part is a constant other than 0", number_of_part},
    {Total::if_not_longer, "both texts are constants, the second not longer than the first", not_longer},
    {Total::if_written_cast, "the cast is written, not implied; to char(n) with n up to 1000", written_cast},
    {Total::if_divisor, "the divisor is a constant other than 0 and -1", divisor},
    {Total::if_modulus, "the divisor is a constant other than 0", modulus},
    {Total::if_few_digits, "the argument is numeric(p, s)", few_digits},
    {Total::if_field, "the field is a constant that the type has", part_of_moment},
    {Total::if_start_of_field, "the field is a constant from microseconds to second, without time zone to day",
     start_of_part},
    {Total::if_thresholds, "the thresholds are a constant without NULL, their comparison is total", thresholds},
    {Total::if_equal_elements, "the equality of the elements is total", equal_elements},
    {Total::if_ordered_elements, "the order of the elements is total", ordered_elements},
    {Total::if_own_ranges, "the range is of a type of PostgreSQL's own", own_ranges},
    {Total::if_contains_constant, "the second argument is a constant of at most 1000 bytes", small_pattern<1>},
    {Total::if_constant_contains, "the first argument is a constant of at most 1000 bytes", small_pattern<0>},
};

const Condition* condition_of(Total when) {
  const auto* const condition = std::ranges::find(kConditions, when, &Condition::when);
  return condition == std::end(kConditions) ? nullptr : condition;
}

}  // namespace

Verdict judge_condition(Total when, Oid function, List* arguments, Oid collation) {
  return condition_of(when)->judge(function, arguments, collation);
}

const char* condition_in_words(Total when) {
  const Condition* const condition = condition_of(when);
  return condition == nullptr ? nullptr : condition->in_words;
}

}  // namespace dp::guard
