#include "budget/answers/answer_hashes.h"

#include <algorithm>
#include <iterator>

#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"

namespace dp::budget {
namespace {

namespace aggregate_column {
enum { hash = 1, answer };
}

Numbers room_for(int most) { return {static_cast<std::int64_t*>(palloc(sizeof(std::int64_t) * (most + Size{1}))), 0}; }

enum class Says : std::uint8_t { itself, part };

// Of an aggregate of that question, or of what its numbers say.
std::int64_t hash_of_aggregate(const Question& question, Says says, std::string_view digest) {
  const std::uint64_t both =
      hash_combine64(static_cast<uint64>(hash_of(question.text)), static_cast<uint64>(hash_of(digest)));
  return static_cast<std::int64_t>(hash_combine64(both, static_cast<uint64>(says)));
}

// Each hash by which an answer to the question is found, once.
Numbers hashes_of_answer(const Question& question) {
  constexpr aggregate::Part kParts[] = {aggregate::Part::rows, aggregate::Part::count, aggregate::Part::sum,
                                        aggregate::Part::pairs};
  Numbers hashes = room_for(question.size * (1 + static_cast<int>(std::size(kParts))));
  for (int i = 0; i < question.size; ++i) {
    const QuestionAggregate& one = question.aggregates[i];
    hashes.add(hash_of_aggregate(question, Says::itself, one.text));
    for (const aggregate::Part part : kParts) {
      const std::string_view about = one.about.of(part);
      if (aggregate::says(one.form.kind, part) && !about.empty())
        hashes.add(hash_of_aggregate(question, Says::part, about));
    }
  }
  hashes.sort();
  return hashes;
}

// Adds the answers that are found by the hash; false where there are more than `most`.
bool add_answers(std::int64_t hash, int most, Numbers* answers) {
  for (NumberedRows row(own_tables().stored_answer_aggregate, hash); row.next();) {
    if (answers->count == most) {
      row.close();
      return false;
    }
    answers->add(row.whole(aggregate_column::answer));
  }
  return true;
}

}  // namespace

std::int64_t hash_of(std::string_view digest) {
  std::int64_t hash;
  memcpy(&hash, digest.data(), sizeof hash);
  return hash;
}

void Numbers::sort() {
  std::sort(of, of + count);
  count = static_cast<int>(std::unique(of, of + count) - of);
}

Numbers answers_to(const Question& question) {
  for (int most = 16;; most *= 4) {
    for (int i = 0; i < question.size; ++i) {
      const QuestionAggregate& asked = question.aggregates[i];
      const std::string_view about = asked.part == aggregate::Part::whole ? "" : asked.about.of(asked.part);
      Numbers answers = room_for(most);
      if (add_answers(hash_of_aggregate(question, Says::itself, asked.text), most, &answers) &&
          (about.empty() || add_answers(hash_of_aggregate(question, Says::part, about), most, &answers))) {
        answers.sort();
        return answers;
      }
    }
  }
}

int store_hashes(const Question& question, std::int64_t answer) {
  const Numbers hashes = hashes_of_answer(question);
  for (int i = 0; i < hashes.count; ++i)
    append_frozen(own_tables().stored_answer_aggregate, {Int64GetDatum(hashes.of[i]), Int64GetDatum(answer)});
  return hashes.count;
}

void forget_hashes(const Question& question, std::int64_t answer) {
  const Numbers hashes = hashes_of_answer(question);
  for (int i = 0; i < hashes.count; ++i) {
    for (NumberedRows row(own_tables().stored_answer_aggregate, hashes.of[i], NumberedRows::Second{answer});
         row.next();)
      row.try_to_remove();
  }
}

}  // namespace dp::budget
