#include "guard/facts/characters.h"

#include <algorithm>

#include "guard/functions/calls.h"
#include "guard/functions/constants.h"

namespace dp::guard {
namespace {

using bounds::Bounds;
using bounds::Number;

constexpr Number kLastCharacter = 0x10FFFF;

Number characters(Datum text) {
  const auto* const packed = reinterpret_cast<const varlena*>(PG_DETOAST_DATUM_PACKED(text));
  return pg_mbstrlen_with_len(VARDATA_ANY(packed), static_cast<int>(VARSIZE_ANY_EXHDR(packed)));
}

bool is_text(Oid type) { return type == TEXTOID || type == VARCHAROID || type == BPCHAROID; }

Node* argument(List* arguments, int number) { return folded(static_cast<Node*>(list_nth(arguments, number))); }

Bounds whole_constant(Node* node) {
  if (!IsA(node, Const) || castNode(Const, node)->constisnull || exprType(node) != INT4OID) return std::nullopt;
  const Number number = DatumGetInt32(castNode(Const, node)->constvalue);
  return bounds::make(number, number);
}

// No more than that.
Bounds up_to(const Bounds& most) { return most ? bounds::make(0, std::max(most->upper, Number{0})) : std::nullopt; }

Bounds of_text(Node* text, Evaluator* parts);

Bounds sum_of_texts(List* texts, Evaluator* parts) {
  Bounds sum = bounds::make(0, 0);
  ListCell* cell;
  foreach (cell, texts) sum = bounds::plus(sum, up_to(of_text(folded(static_cast<Node*>(lfirst(cell))), parts)));
  return sum;
}

Bounds of_texts(List* texts, Evaluator* parts) {
  Bounds all;
  ListCell* cell;
  foreach (cell, texts) {
    Node* const text = folded(static_cast<Node*>(lfirst(cell)));
    if (is_null_constant(text)) continue;
    const Bounds one = of_text(text, parts);
    if (!one) return std::nullopt;
    all = all ? bounds::either(all, one) : one;
  }
  return all;
}

// A value as text.
Bounds of_shown(Node* value, Evaluator* parts) {
  switch (const Oid type = getBaseType(exprType(value)); type) {
    case BOOLOID:
      return bounds::make(4, 5);
    case INT2OID:
      return bounds::make(1, 6);
    case INT4OID:
      return bounds::make(1, 11);
    case INT8OID:
      return bounds::make(1, 20);
    case UUIDOID:
      return bounds::make(36, 36);
    default: {
      const auto labels = type_is_enum(type) ? budget::type_domain(type) : std::nullopt;
      if (!labels) return is_text(type) ? of_text(value, parts) : std::nullopt;
      Bounds all;
      for (int i = 0; i < labels->size; ++i) {
        const Datum label = CStringGetTextDatum(DatumGetCString(DirectFunctionCall1(enum_out, labels->values[i])));
        const Bounds one = bounds::make(characters(label), characters(label));
        all = all ? bounds::either(all, one) : one;
      }
      return all;
    }
  }
}

Bounds of_column(Var* column, Evaluator* parts) {
  const auto values = parts->values_of(column);
  if (!values || !is_text(getBaseType(values->type))) return std::nullopt;
  Bounds all;
  for (int i = 0; i < values->size; ++i) {
    const Bounds one = bounds::make(characters(values->values[i]), characters(values->values[i]));
    all = all ? bounds::either(all, one) : one;
  }
  return all;
}

// ICU may make three characters of one; one for one is what C and the C library do.
Bounds in_other_letters(const Bounds& text) { return text ? bounds::make(text->lower, 3 * text->upper) : std::nullopt; }

Bounds of_call(Oid function, List* arguments, Evaluator* parts) {
  const auto text = [&](int number) { return of_text(argument(arguments, number), parts); };
  // The text is not longer than so many characters, nor than what it is made of.
  const auto cut_to = [&](const Bounds& most) {
    return bounds::within(most && most->upper >= 0 ? up_to(most) : std::nullopt, up_to(text(0)));
  };
  switch (meaning_of(function)) {
    case Meaning::trim:
    case Meaning::reverse:
    case Meaning::split_part:
    case Meaning::translate:
      return up_to(text(0));
    case Meaning::change_case:
      return in_other_letters(text(0));
    case Meaning::left_or_right:
      return cut_to(whole_constant(argument(arguments, 1)));
    case Meaning::substring: {
      const bool by_length = list_length(arguments) == 3 && exprType(argument(arguments, 1)) == INT4OID;
      return cut_to(by_length ? whole_constant(argument(arguments, 2)) : std::nullopt);
    }
    case Meaning::pad:
      return up_to(whole_constant(argument(arguments, 1)));
    case Meaning::repeat:
      return bounds::times(up_to(text(0)), up_to(whole_constant(argument(arguments, 1))));
    case Meaning::concat:
      return sum_of_texts(arguments, parts);
    case Meaning::to_text:
      return of_shown(argument(arguments, 0), parts);
    default:
      return std::nullopt;
  }
}

// What varchar(n) and char(n) leave.
Bounds of_type(Node* text) {
  const Oid type = exprType(text);
  const int32 modifier = exprTypmod(text);
  const bool limited = (type == VARCHAROID || type == BPCHAROID) && modifier >= static_cast<int32>(VARHDRSZ);
  return limited ? bounds::make(0, modifier - static_cast<int32>(VARHDRSZ)) : std::nullopt;
}

Bounds of_text_itself(Node* text, Evaluator* parts) {
  const Expression expression = taken_apart(text);
  const auto part = [&] { return static_cast<Node*>(linitial(expression.parts)); };
  switch (expression.form) {
    case Form::leaf:
      return IsA(text, Var) ? of_column(castNode(Var, text), parts) : std::nullopt;
    case Form::constant: {
      const auto* const constant = castNode(Const, text);
      if (constant->constisnull || !is_text(constant->consttype)) return std::nullopt;
      const Number length = characters(constant->constvalue);
      return bounds::make(length, length);
    }
    case Form::same:
      return of_text(part(), parts);
    case Form::shown:
      return of_shown(part(), parts);
    case Form::one_of:
    case Form::extreme:
      return of_texts(expression.parts, parts);
    case Form::call:
      return of_call(expression.function, expression.parts, parts);
    default:
      return std::nullopt;
  }
}

Bounds of_text(Node* text, Evaluator* parts) {
  check_stack_depth();
  if (const Bounds of = of_type(text)) return of;
  return of_text_itself(text, parts);
}

Bounds of_array(Node* array) {
  if (!IsA(array, ArrayExpr) || castNode(ArrayExpr, array)->multidims) return std::nullopt;
  return bounds::make(0, list_length(castNode(ArrayExpr, array)->elements));
}

}  // namespace

Bounds bounds_of_size(Meaning meaning, List* arguments, Evaluator* parts) {
  Node* const of = argument(arguments, 0);
  const bool texts = is_text(getBaseType(exprType(of)));
  switch (meaning) {
    case Meaning::length:
      return texts ? of_text(of, parts) : std::nullopt;
    case Meaning::octet_length: {
      // char(n) is as long as that, with blanks.
      const Bounds count = texts ? of_text(of, parts) : std::nullopt;
      const Bounds each = bounds::make(1, pg_database_encoding_max_length());
      return getBaseType(exprType(of)) == BPCHAROID ? bounds::times(up_to(count), each) : bounds::times(count, each);
    }
    case Meaning::position: {
      // position(x IN y) and strpos(y, x): in the first argument.
      return texts ? up_to(of_text(of, parts)) : std::nullopt;
    }
    case Meaning::ascii:
      return texts ? bounds::make(0, kLastCharacter) : std::nullopt;
    case Meaning::array_size:
      return of_array(of);
    default:
      return std::nullopt;
  }
}

}  // namespace dp::guard
