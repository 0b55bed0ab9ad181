// What was asked of protected tables, in bytes. Two questions with the same bytes mean the same, whoever asks, when,
// and by which plan (guard/reuse/question_text.h writes them). What is stored and compared are their digests (SHA-256),
// which nobody can make meet: so a stored answer takes little, however long its question is. A hash only finds them.
#pragma once

#include <string_view>

#include "core/accounting/amount.h"
#include "core/accumulate/answer_shape.h"
#include "core/accumulate/vector.h"
#include "core/mechanism/noise_path.h"
#include "core/noise/integers.h"
#include "pg/server.h"

namespace dp::budget {

// 32 bytes in the place of these; palloc'd.
std::string_view digest_of(std::string_view bytes);

// What an aggregate is about, whatever it says of it: digests, empty where it is about no such thing, and where its
// noise has another law than levels of releases. Of two that are about the same, the numbers of one may say what the
// other one asks (core/accumulate/vector.h).
struct AboutColumn {
  std::string_view rows;     // those that pass its FILTER
  std::string_view values;   // of its argument, of these rows
  std::string_view clamped;  // these values between its bounds

  // What that part is about.
  std::string_view of(aggregate::Part part) const;
};

// One aggregate of a question: what it computes and by which mechanism; its price and how it was answered are no part
// of the bytes.
struct QuestionAggregate {
  std::string_view text;
  mechanism::Epsilon epsilon;
  mechanism::Delta delta;
  aggregate::Form form;       // of the answer; unused where nothing is added to integers
  mechanism::NoisePath path;  // of its noise, in refined steps
  AboutColumn about;
  aggregate::Part part;  // that others may say of it; whole: none
  bool by_vectors;       // only those that are vectors may

  // Whether its numbers, by the same law, say what the other one asks: by another law they are charged in another way.
  bool says(const QuestionAggregate& asked) const;
};

// Where an aggregate is found among others: the number of one, and what of it is shown.
struct AggregatePlace {
  int aggregate;  // -1: nowhere
  aggregate::Part part;
};

// What a grouped answer can be rolled up by (guard/reuse/roll_up.h): which rows its question is about, whatever the
// keys; its keys; and all values of each, as digests but for the keys. Empty where it cannot.
struct QuestionKeys {
  std::string_view rows;
  const char* keys = nullptr;
  std::string_view groups;

  bool empty() const { return keys == nullptr; }
};

// What this session has read of the answers to a question (stored_answers.h).
struct SeenAnswers;

// Plain data over palloc'd memory.
struct Question {
  List* tables;  // oid: the protected tables, the first one first; what a curator says of any of them holds
  std::string_view
      text;  // the digest of all but the aggregates: session, tables, conditions, keys, groups, privacy unit
  QuestionAggregate* aggregates;
  int size;
  SeenAnswers* seen = nullptr;  // where the question is kept to be asked again

  // The aggregate of the same text; where there is none, one whose numbers say it. Of several the most accurate one.
  AggregatePlace find(const QuestionAggregate& asked) const;
};

}  // namespace dp::budget
