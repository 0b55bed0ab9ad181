#include "budget/answers/question.h"

namespace dp::budget {

std::string_view digest_of(std::string_view bytes) {
  auto* const copy = static_cast<bytea*>(palloc(VARHDRSZ + bytes.size()));
  SET_VARSIZE(copy, VARHDRSZ + bytes.size());
  memcpy(VARDATA(copy), bytes.data(), bytes.size());
  const bytea* const digest = DatumGetByteaPP(DirectFunctionCall1(sha256_bytea, PointerGetDatum(copy)));
  return {VARDATA_ANY(digest), VARSIZE_ANY_EXHDR(digest)};
}

std::string_view AboutColumn::of(aggregate::Part part) const {
  using aggregate::Part;
  return part == Part::rows ? rows : part == Part::count ? values : clamped;
}

bool QuestionAggregate::says(const QuestionAggregate& asked) const {
  const std::string_view wanted = asked.about.of(asked.part);
  const bool by_the_law = path.kind() == asked.path.kind();
  if (asked.by_vectors && !aggregate::is_vector(form.kind)) return false;
  return by_the_law && aggregate::says(form.kind, asked.part) && !wanted.empty() && about.of(asked.part) == wanted;
}

AggregatePlace Question::find(const QuestionAggregate& asked) const {
  const auto most_accurate = [this](auto serves) {
    int found = -1;
    for (int i = 0; i < size; ++i)
      if (serves(aggregates[i]) && (found < 0 || aggregates[found].epsilon < aggregates[i].epsilon)) found = i;
    return found;
  };
  const int same = most_accurate([&](const QuestionAggregate& one) { return one.text == asked.text; });
  if (same >= 0) return {same, aggregate::Part::whole};
  return {most_accurate([&](const QuestionAggregate& one) { return one.says(asked); }), asked.part};
}

}  // namespace dp::budget
