#include "guard/reuse/question_bytes.h"

#include <cstdlib>

#include "guard/reuse/session_facts.h"

namespace dp::guard {
namespace {

// The text of a tree without positions in the statement's text. No text in the tree can be taken for one: in those
// blanks are written with a backslash.
char* text_of(const void* tree) {
  constexpr char kPosition[] = " :location ";
  char* const text = nodeToString(tree);
  char* to = strstr(text, kPosition);
  for (const char* from = to; from != nullptr;) {
    from += sizeof kPosition - 1;
    while (*from == '-' || (*from >= '0' && *from <= '9')) ++from;
    const char* const next = strstr(from, kPosition);
    const std::size_t between = next == nullptr ? strlen(from) + 1 : static_cast<std::size_t>(next - from);
    memmove(to, from, between);
    to += between;
    from = next;
  }
  return text;
}

}  // namespace

void QuestionBytes::tree(const void* tree) { text(text_of(tree)); }

void QuestionBytes::settings() {
  for (const SessionSetting setting :
       {SessionSetting::TimeZone, SessionSetting::DateStyle, SessionSetting::IntervalStyle,
        SessionSetting::timezone_abbreviations, SessionSetting::lc_time, SessionSetting::lc_numeric,
        SessionSetting::lc_monetary, SessionSetting::default_text_search_config})
    text(value_of(setting));
}

void QuestionBytes::session(Node* tree) {
  const bool settled = !contain_mutable_functions(tree);
  number(settled);
  if (!settled) settings();
  for (const SessionSetting setting : {SessionSetting::bytea_output, SessionSetting::xmlbinary,
                                       SessionSetting::xmloption, SessionSetting::array_nulls})
    text(value_of(setting));
  // Numbers as text: all positive values are the same.
  number(Min(atoi(value_of(SessionSetting::extra_float_digits)), 1));
}

void QuestionBytes::tables(const InnerQuery& inner_query, const Oid* roles) {
  for (int i = 0; i < inner_query.protected_tables(); ++i) {
    const ProtectedTable table = inner_query.protected_table(i);
    number(table.relation);
    number(table.table);
    number(table.subject);
    // The role of the first table is who holds the answer.
    number(roles[i] == roles[0] ? InvalidOid : roles[i]);
  }
}

void QuestionBytes::unit(const mechanism::Contribution& unit) {
  number(unit.rows);
  number(unit.rows == 0 ? 0 : unit.groups);
  number(unit.rows_per_group);
}

void QuestionBytes::circumstances(const InnerQuery& inner_query) {
  unit(inner_query.unit);
  for (const List* const numbers :
       {inner_query.policy, inner_query.limits, inner_query.dependencies, inner_query.masks, inner_query.collations}) {
    tree(numbers);
  }
  number(list_length(inner_query.keys));
  ListCell* cell;
  foreach (cell, inner_query.keys) {
    const auto& key = *static_cast<const GroupKey*>(lfirst(cell));
    number(static_cast<int>(key.nulls));
    number(key.subject);
  }
}

}  // namespace dp::guard
