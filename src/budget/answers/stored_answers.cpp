#include "budget/answers/stored_answers.h"

#include <algorithm>

#include "budget/answers/answer_hashes.h"
#include "budget/answers/shown_again.h"
#include "budget/catalog/changed_objects.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/catalog/joined_tables.h"
#include "budget/policy/publishing.h"
#include "pg/random_bits.h"

namespace dp::budget {
namespace {

namespace column {
enum {
  hash = 1,
  answer,
  made_at,
  role,
  relation,
  release,
  part,
  rows,
  bytes,
  question,
  aggregates,
  rows_hash,
  partners
};
}
namespace keys_column {
enum { rows_hash = 1, answer, question_hash, rows, keys, groups };
}

bytea* bytes_of(std::string_view text) {
  auto* const bytes = static_cast<bytea*>(palloc(VARHDRSZ + text.size()));
  SET_VARSIZE(bytes, VARHDRSZ + text.size());
  memcpy(VARDATA(bytes), text.data(), text.size());
  return bytes;
}

std::string_view view_of(const bytea* bytes) { return {VARDATA_ANY(bytes), VARSIZE_ANY_EXHDR(bytes)}; }

// An aggregate before its text, and what it is about.
struct Header {
  std::uint64_t epsilon;
  std::uint64_t delta;
  std::uint32_t sizes[4];
  aggregate::Form form;
  noise::Uint128 path;  // as NoisePath is stored
};

bytea* pack(const Question& question) {
  StringInfoData packed;
  initStringInfo(&packed);
  for (int i = 0; i < question.size; ++i) {
    const QuestionAggregate& one = question.aggregates[i];
    // Nobody looks for what is said by no numbers of its.
    const AboutColumn about = aggregate::numbers_of_column(one.form.kind) > 0 ? one.about : AboutColumn{};
    const std::string_view texts[] = {one.text, about.rows, about.values, about.clamped};
    Header header{one.epsilon.nano, one.delta.atto, {}, one.form, one.path.number()};
    std::ranges::transform(texts, header.sizes,
                           [](std::string_view text) { return static_cast<std::uint32_t>(text.size()); });
    appendBinaryStringInfo(&packed, reinterpret_cast<const char*>(&header), sizeof header);
    for (const std::string_view text : texts)
      appendBinaryStringInfo(&packed, text.data(), static_cast<int>(text.size()));
  }
  return bytes_of({packed.data, static_cast<std::size_t>(packed.len)});
}

// Over the bytes, which must live as long. False where they are not what pack() writes.
bool unpack(std::string_view packed, Question* question) {
  List* aggregates = NIL;
  while (!packed.empty()) {
    Header header;
    if (packed.size() < sizeof header) return false;
    memcpy(&header, packed.data(), sizeof header);
    packed.remove_prefix(sizeof header);
    std::string_view texts[std::size(header.sizes)];
    for (std::size_t i = 0; i < std::size(texts); ++i) {
      if (header.sizes[i] > packed.size()) return false;
      texts[i] = packed.substr(0, header.sizes[i]);
      packed.remove_prefix(header.sizes[i]);
    }
    const auto path = mechanism::NoisePath::stored(header.path);
    const AboutColumn about{texts[1], texts[2], texts[3]};
    aggregates = lappend(
        aggregates,
        new (palloc(sizeof(QuestionAggregate))) QuestionAggregate{
            texts[0], {header.epsilon}, {header.delta}, header.form, path, about, aggregate::Part::whole, false});
  }
  question->size = list_length(aggregates);
  question->aggregates =
      static_cast<QuestionAggregate*>(palloc(sizeof(QuestionAggregate) * static_cast<Size>(question->size + 1)));
  for (int i = 0; i < question->size; ++i)
    question->aggregates[i] = *static_cast<QuestionAggregate*>(list_nth(aggregates, i));
  return true;
}

List* tables_of(const NumberedRows& row) { return joined_tables(row, column::relation, column::partners); }

// The answer of that row, if it has the aggregates that are asked; with the text of `asked`, if that is given.
StoredAnswer* read_answer(const NumberedRows& row, MemoryContext memory, const Question& asked, bool of_text) {
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  StoredAnswer* answer = nullptr;
  const bytea* const text = DatumGetByteaPP(row.value(column::question));
  Question question{tables_of(row), view_of(text), nullptr, 0};
  const bool same = equal(question.tables, asked.tables) && (!of_text || question.text == asked.text) &&
                    unpack(view_of(DatumGetByteaPCopy(row.value(column::aggregates))), &question);
  auto* const places = static_cast<AggregatePlace*>(palloc(sizeof(AggregatePlace) * static_cast<Size>(asked.size + 1)));
  bool says_all = same, has_all = true;
  for (int i = 0; says_all && i < asked.size; ++i) {
    places[i] = question.find(asked.aggregates[i]);
    says_all = places[i].aggregate >= 0;
    has_all = has_all && places[i].part == aggregate::Part::whole;
  }
  if (says_all) {
    question.text = asked.text;
    answer = new (palloc(sizeof(StoredAnswer))) StoredAnswer{row.whole(column::answer),
                                                             DatumGetTimestampTz(row.value(column::made_at)),
                                                             DatumGetObjectId(row.value(column::role)),
                                                             row.whole(column::release),
                                                             row.small(column::part),
                                                             row.whole(column::rows),
                                                             question,
                                                             places,
                                                             has_all};
  }
  MemoryContextSwitchTo(outer);
  return answer;
}

constexpr int kMostSeen = 32;

}  // namespace

// What a row said is kept under all that tells the row from another one: where it lies, who wrote it, its number.
struct SeenAnswers {
  struct Row {
    RowPlace place;
    std::int64_t id;
    StoredAnswer* answer;  // nullptr: it is none to the question
  };

  MemoryContext memory;
  bool hashed;
  std::int64_t hash;  // of the question's text
  Row rows[kMostSeen];
  int count;
};

namespace {

StoredAnswer* read_once(const NumberedRows& row, SeenAnswers* seen, const Question& question) {
  const RowPlace place = row.place();
  const std::int64_t id = row.whole(column::answer);
  for (int i = 0; i < seen->count; ++i) {
    if (seen->rows[i].place == place && seen->rows[i].id == id) return seen->rows[i].answer;
  }
  if (is_full(*seen)) return read_answer(row, CurrentMemoryContext, question, true);
  StoredAnswer* const answer = read_answer(row, seen->memory, question, true);
  seen->rows[seen->count++] = {place, id, answer};
  return answer;
}

std::uint64_t epsilon_of_all(const Question& question) {
  std::uint64_t sum = 0;
  for (int i = 0; i < question.size; ++i) sum += question.aggregates[i].epsilon.nano;
  return sum;
}

int newest_first(const ListCell* a, const ListCell* b) {
  const auto* const x = static_cast<StoredAnswer*>(lfirst(a));
  const auto* const y = static_cast<StoredAnswer*>(lfirst(b));
  if (x->has_all != y->has_all) return x->has_all ? -1 : 1;
  if (x->made_at != y->made_at) return x->made_at > y->made_at ? -1 : 1;
  const std::uint64_t of_x = epsilon_of_all(x->question), of_y = epsilon_of_all(y->question);
  return static_cast<int>(of_x < of_y) - static_cast<int>(of_x > of_y);
}

namespace place_column {
enum { relation = 1, position, question_hash, answer };
}

// What an answer takes beside what differs: the heads of its rows, and their entries in indexes.
constexpr std::int64_t kRowsOfAnswer = 500;
constexpr std::int64_t kRowOfHash = 80;  // for each hash by which it is found

// How many bytes have been stored about the table, those included that have gone. Who stores at the same moment may
// find the same.
std::int64_t last_position(Oid relation) {
  NumberedRows row(own_tables().stored_answer_place, relation, BackwardScanDirection);
  if (!row.next()) return 0;
  const std::int64_t position = row.whole(place_column::position);
  row.close();
  return position;
}

void remove_answer(NumberedRows* row) {
  CHECK_FOR_INTERRUPTS();
  const Tables& own = own_tables();
  const std::int64_t id = row->whole(column::answer);
  row->try_to_remove();
  forget_shown(id);
  if (const std::int64_t rows_hash = row->whole(column::rows_hash); rows_hash != 0) {
    for (NumberedRows keys(own.stored_answer_keys, rows_hash); keys.next();) {
      if (keys.whole(keys_column::answer) == id) keys.try_to_remove();
    }
  }
  MemoryContext const outer = MemoryContextSwitchTo(row->memory());
  Question question{NIL, view_of(DatumGetByteaPP(row->value(column::question))), nullptr, 0};
  if (unpack(view_of(DatumGetByteaPP(row->value(column::aggregates))), &question)) {
    forget_hashes(question, id);
  }
  MemoryContextSwitchTo(outer);
  for (NumberedRows chunk(own.stored_answer_rows, id); chunk.next();) chunk.try_to_remove();
}

void lock_answers() {
  const Tables& own = own_tables();
  for (const Oid table : {own.stored_answer, own.stored_answer_rows, own.stored_answer_shown, own.stored_answer_keys,
                          own.stored_answer_aggregate, own.stored_answer_place})
    LockRelationOid(table, RowExclusiveLock);
}

// Forgets the oldest answers on the table, each that goes(its row) says; up to the first that stays.
template <class Goes>
std::int64_t forget_oldest(Oid relation, Goes goes) {
  lock_answers();
  std::int64_t gone = 0;
  for (NumberedRows place(own_tables().stored_answer_place, relation); place.next();) {
    bool stays = false;
    for (NumberedRows row(own_tables().stored_answer, place.whole(place_column::question_hash),
                          NumberedRows::Second{place.whole(place_column::answer)});
         row.next();) {
      stays = !goes(place.whole(place_column::position), row);
      if (stays) continue;
      remove_answer(&row);
      ++gone;
    }
    if (stays) {
      place.close();
      break;
    }
    place.try_to_remove();
  }
  return gone;
}

// What the policy does not let it keep.
void forget_beyond(Oid relation, const AnswerPolicy& policy) {
  const std::int64_t last = last_position(relation);
  const TimestampTz oldest = GetCurrentTimestamp() - policy.keep;
  forget_oldest(relation, [&](std::int64_t position, const NumberedRows& row) {
    if (DatumGetTimestampTz(row.value(column::made_at)) <= oldest) return true;
    return last - position + row.whole(column::bytes) > policy.bytes;
  });
}

// What gets the number of a dropped table is another one, and nobody asks about the old one any more.
void look_at_change(ObjectAccessType access, Oid class_id, Oid object, int sub, void*) {
  if (access != OAT_DROP || class_id != RelationRelationId || sub != 0 || tables() == nullptr) return;
  if (!is_own_table(object) && last_position(object) > 0)
    forget_oldest(object, [](std::int64_t, const NumberedRows&) { return true; });
}

}  // namespace

SeenAnswers* make_seen_answers(MemoryContext memory) {
  auto* const seen = static_cast<SeenAnswers*>(MemoryContextAllocZero(memory, sizeof(SeenAnswers)));
  seen->memory = memory;
  return seen;
}

bool is_full(const SeenAnswers& seen) { return seen.count == kMostSeen; }

List* stored_answers(const Question& question) {
  List* found = NIL;
  SeenAnswers* const seen = question.seen;
  MemoryContext const memory = CurrentMemoryContext;
  if (seen != nullptr && !seen->hashed) {
    seen->hash = hash_of(question.text);
    seen->hashed = true;
  }
  const std::int64_t hash = seen != nullptr ? seen->hash : hash_of(question.text);
  const auto read = [&](NumberedRows rows) {
    while (rows.next()) {
      StoredAnswer* const answer =
          seen != nullptr ? read_once(rows, seen, question) : read_answer(rows, memory, question, true);
      if (answer != nullptr) found = lappend(found, answer);
    }
  };
  if (question.size == 0) {
    read(NumberedRows(own_tables().stored_answer, hash));
  } else {
    const Numbers answers = answers_to(question);
    for (int i = 0; i < answers.count; ++i)
      read(NumberedRows(own_tables().stored_answer, hash, NumberedRows::Second{answers.of[i]}));
  }
  list_sort(found, newest_first);
  return found;
}

List* answers_about(std::string_view rows, const Question& asked, int most) {
  List* found = NIL;
  int looked = 0;
  MemoryContext const memory = CurrentMemoryContext;
  // Rows of one number lie in the order in which they were written.
  for (NumberedRows row(own_tables().stored_answer_keys, hash_of(rows), BackwardScanDirection); row.next();) {
    if (++looked > most) {
      row.close();
      break;
    }
    if (view_of(DatumGetByteaPP(row.value(keys_column::rows))) != rows) continue;
    const std::int64_t id = row.whole(keys_column::answer);
    MemoryContext const outer = MemoryContextSwitchTo(memory);
    auto* const one = new (palloc(sizeof(KeyedAnswer))) KeyedAnswer{};
    one->keys = {rows, TextDatumGetCString(row.value(keys_column::keys)),
                 view_of(DatumGetByteaPCopy(row.value(keys_column::groups)))};
    MemoryContextSwitchTo(outer);
    for (NumberedRows stored(own_tables().stored_answer, row.whole(keys_column::question_hash),
                             NumberedRows::Second{id});
         stored.next();)
      one->answer = read_answer(stored, memory, asked, false);
    MemoryContextSwitchTo(memory);
    if (one->answer != nullptr) found = lappend(found, one);
    MemoryContextSwitchTo(outer);
  }
  list_sort(found, [](const ListCell* a, const ListCell* b) {
    const TimestampTz x = static_cast<KeyedAnswer*>(lfirst(a))->answer->made_at;
    const TimestampTz y = static_cast<KeyedAnswer*>(lfirst(b))->answer->made_at;
    return static_cast<int>(x < y) - static_cast<int>(x > y);
  });
  return found;
}

std::int64_t new_answer_id() { return static_cast<std::int64_t>(pg::random_bits().bits(62)); }

void store_answer(const StoredAnswer& answer, const QuestionKeys& keys, std::int64_t bytes) {
  const Question& question = answer.question;
  bytea* const aggregates = pack(question);
  const std::int64_t rows_hash = keys.empty() ? 0 : hash_of(keys.rows);
  const int hashes = store_hashes(question, answer.id);
  std::int64_t all = kRowsOfAnswer + kRowOfHash * hashes + bytes + VARSIZE(aggregates);
  if (!keys.empty()) {
    all += static_cast<std::int64_t>(strlen(keys.keys));
    append_frozen(
        own_tables().stored_answer_keys,
        {Int64GetDatum(rows_hash), Int64GetDatum(answer.id), Int64GetDatum(hash_of(question.text)),
         PointerGetDatum(bytes_of(keys.rows)), CStringGetTextDatum(keys.keys), PointerGetDatum(bytes_of(keys.groups))});
  }
  List* const partners = list_copy_tail(question.tables, 1);
  append_frozen(own_tables().stored_answer,
                {Int64GetDatum(hash_of(question.text)), Int64GetDatum(answer.id), TimestampTzGetDatum(answer.made_at),
                 ObjectIdGetDatum(answer.role), ObjectIdGetDatum(linitial_oid(question.tables)),
                 Int64GetDatum(answer.release), Int32GetDatum(answer.part), Int64GetDatum(answer.rows),
                 Int64GetDatum(all), PointerGetDatum(bytes_of(question.text)), PointerGetDatum(aggregates),
                 Int64GetDatum(rows_hash), partners == NIL ? Datum{0} : partners_datum(partners)},
                partners == NIL ? column::partners - 1 : SIZE_MAX);
  if (publishing() != nullptr) return;
  ListCell* cell;
  foreach (cell, question.tables) {
    const Oid table = lfirst_oid(cell);
    append_frozen(own_tables().stored_answer_place, {Int64GetDatum(table), Int64GetDatum(last_position(table) + all),
                                                     Int64GetDatum(hash_of(question.text)), Int64GetDatum(answer.id)});
    if (const auto policy = answer_policy(table)) forget_beyond(table, *policy);
  }
}

std::int64_t forget_answers(Oid relation) {
  std::int64_t gone = 0;
  lock_answers();
  for (NumberedRows row(own_tables().stored_answer); row.next();) {
    const bool of_table = list_member_oid(tables_of(row), relation);
    if (!of_table) continue;
    remove_answer(&row);
    ++gone;
  }
  for (NumberedRows place(own_tables().stored_answer_place, relation); place.next();) place.try_to_remove();
  return gone;
}

void forget_answer(std::int64_t question_hash, std::int64_t answer) {
  lock_answers();
  for (NumberedRows row(own_tables().stored_answer, question_hash, NumberedRows::Second{answer}); row.next();)
    remove_answer(&row);
}

void install_answers() { on_change(look_at_change); }

}  // namespace dp::budget
