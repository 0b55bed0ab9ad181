#include "guard/reuse/known_questions.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "budget/answers/stored_answers.h"
#include "guard/groups/groups.h"
#include "guard/reuse/session_facts.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

constexpr int kQuestions = 8;
constexpr Size kMostBytes = 65536;  // of the texts of one
constexpr std::size_t kOnce = 64;

struct KnownQuestions {
  MemoryContext memory;  // of this and what follows
  std::uint64_t number;  // of the plan
  std::string_view key;
  Questions questions;
  int users;  // executions that read it
  bool gone;  // from the table; the last user frees it
};

KnownQuestions* known[kQuestions];
int next_place = 0;
std::uint64_t asked_once[kOnce];  // the numbers of plans that have run
// ---- what bytes are made from ---------------------------------------------------------------------------------------

template <class T>
void append(StringInfo key, T number) {
  static_assert(std::has_unique_object_representations_v<T>);
  appendBinaryStringInfo(key, reinterpret_cast<const char*>(&number), sizeof number);
}

void append(StringInfo key, double number) {
  std::uint64_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  append(key, bits);
}

void append_text(StringInfo key, const char* text) {
  const std::size_t size = text == nullptr ? 0 : strlen(text);
  append(key, size);
  appendBinaryStringInfo(key, text, static_cast<int>(size));
}

void append_settings(StringInfo key) {
  for (int i = 0; i < kSessionSettings; ++i) append_text(key, value_of(static_cast<SessionSetting>(i)));
}

void append_values(StringInfo key, ParamListInfo values) {
  const int count = values == nullptr ? 0 : values->numParams;
  append(key, count);
  for (int i = 0; i < count; ++i) {
    const ParamExternData& one = values->params[i];
    append(key, one.ptype);
    append(key, one.isnull);
    if (!one.isnull) append_value(key, one.value, one.ptype);
  }
}

void append_mechanism(StringInfo key, const mechanism::Mechanism& mechanism) {
  append(key, mechanism.family);
  for (const mechanism::Value& value : mechanism.values) {
    append(key, value.index());
    if (const auto* choice = std::get_if<mechanism::Choice>(&value)) append(key, choice->index);
    if (const auto* delta = std::get_if<mechanism::Delta>(&value)) append(key, delta->atto);
    if (const auto* number = std::get_if<double>(&value)) append(key, *number);
  }
}

void append_aggregate(StringInfo key, const AnsweredAggregate& one) {
  append_mechanism(key, *one.mechanism);
  append(key, one.epsilon.nano);
  append(key, one.form.kind);
  append(key, one.form.refinement);
  append(key, one.form.exponent);
  append(key, one.form.lower);
  append(key, one.form.range);
  append(key, one.form.second.exponent);
  append(key, one.form.second.lower);
  append(key, one.form.second.range);
  append(key, one.form.part);
  append(key, one.path.number());
}

std::string_view key_of(const InnerQuery& inner_query, ParamListInfo values, const Oid* roles, const Groups& groups,
                        std::span<const AnsweredAggregate> aggregates) {
  StringInfoData key;
  initStringInfo(&key);
  append(&key, session_changes());
  append_settings(&key);
  for (int i = 0; i < inner_query.protected_tables(); ++i) append(&key, roles[i]);
  append_values(&key, values);
  append(&key, aggregates.size());
  for (const AnsweredAggregate& one : aggregates) append_aggregate(&key, one);
  groups.write_contents(&key);
  return {key.data, static_cast<std::size_t>(key.len)};
}

// ---- keeping --------------------------------------------------------------------------------------------------------

void free_unused(KnownQuestions* one) {
  if (one->gone && one->users == 0) MemoryContextDelete(one->memory);
}

void drop(KnownQuestions** place) {
  KnownQuestions* const one = *place;
  *place = nullptr;
  if (one == nullptr) return;
  one->gone = true;
  free_unused(one);
}

void end_use(void* used) {
  auto* const one = static_cast<KnownQuestions*>(used);
  --one->users;
  free_unused(one);
}

const Questions* use(KnownQuestions* one) {
  auto* const at_end = static_cast<MemoryContextCallback*>(palloc0(sizeof(MemoryContextCallback)));
  at_end->func = end_use;
  at_end->arg = one;
  MemoryContextRegisterResetCallback(CurrentMemoryContext, at_end);
  ++one->users;
  return &one->questions;
}

std::string_view copied(std::string_view text) {
  auto* const bytes = static_cast<char*>(palloc(text.size() + 1));
  text.copy(bytes, text.size());
  return {bytes, text.size()};
}

budget::Question copied(const budget::Question& question, budget::QuestionAggregate* aggregates, MemoryContext memory) {
  return {list_copy(question.tables), copied(question.text), aggregates, question.size,
          budget::make_seen_answers(memory)};
}

Questions copied(const Questions& questions, MemoryContext memory) {
  const budget::Question& asked = questions.asked;
  auto* const aggregates = static_cast<budget::QuestionAggregate*>(
      palloc(sizeof(budget::QuestionAggregate) * static_cast<Size>(asked.size + 1)));
  for (int i = 0; i < asked.size; ++i) {
    aggregates[i] = asked.aggregates[i];
    aggregates[i].text = copied(aggregates[i].text);
    auto& [rows, values, clamped] = aggregates[i].about;
    for (std::string_view* const digest : {&rows, &values, &clamped}) *digest = copied(*digest);
  }
  Questions copy = questions;
  copy.asked = copied(asked, aggregates, memory);
  copy.wider = NIL;
  ListCell* cell;
  foreach (cell, questions.wider) {
    copy.wider = lappend(copy.wider, new (palloc(sizeof(budget::Question))) budget::Question(
                                         copied(*static_cast<budget::Question*>(lfirst(cell)), aggregates, memory)));
  }
  copy.by = {static_cast<List*>(copyObjectImpl(questions.by.keys)),
             static_cast<List*>(copyObjectImpl(questions.by.tables))};
  copy.rows = static_cast<Query*>(copyObjectImpl(questions.rows));
  return copy;
}

bool is_small(const Questions& questions) {
  Size bytes = questions.asked.text.size();
  ListCell* cell;
  foreach (cell, questions.wider) bytes += static_cast<const budget::Question*>(lfirst(cell))->text.size();
  for (int i = 0; i < questions.asked.size; ++i) bytes += questions.asked.aggregates[i].text.size();
  return bytes <= kMostBytes;
}

void keep(std::uint64_t number, std::string_view key, const Questions& questions) {
  MemoryContext const memory = AllocSetContextCreate(CurrentMemoryContext, "pg_dp question", ALLOCSET_SMALL_SIZES);
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  auto* const fresh = new (palloc0(sizeof(KnownQuestions)))
      KnownQuestions{memory, number, copied(key), copied(questions, memory), 0, false};
  MemoryContextSwitchTo(outer);
  MemoryContextSetParent(memory, CacheMemoryContext);
  KnownQuestions** place = std::find(std::begin(known), std::end(known), nullptr);
  if (place == std::end(known)) {
    place = &known[next_place];
    next_place = (next_place + 1) % kQuestions;
    drop(place);
  }
  *place = fresh;
}

// Whether the plan has run before; from now on it has.
bool ran_before(std::uint64_t number) {
  std::uint64_t& place = asked_once[number % kOnce];
  const bool before = place == number;
  place = number;
  return before;
}

}  // namespace

const Questions& questions_of_plan(const InnerQuery& inner_query, ParamListInfo values, const Oid* roles,
                                   const Groups& groups, std::span<const AnsweredAggregate> aggregates) {
  const auto write = [&] {
    const Questions questions = write_questions(inner_query, values, roles, groups, aggregates);
    return new (pg::call([] { return palloc(sizeof(Questions)); })) Questions(questions);
  };
  if (!ran_before(inner_query.number)) return *write();
  const std::string_view key = pg::call([&] { return key_of(inner_query, values, roles, groups, aggregates); });
  for (KnownQuestions*& one : known) {
    if (one == nullptr || one->number != inner_query.number) continue;
    if (one->key == key && !budget::is_full(*one->questions.asked.seen)) return *pg::call([&] { return use(one); });
    drop(&one);
  }
  const Questions* const questions = write();
  if (is_small(*questions)) pg::call([&] { return keep(inner_query.number, key, *questions); });
  return *questions;
}

}  // namespace dp::guard
