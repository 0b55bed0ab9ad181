// Releases as they are stored: parts (query levels) and their aggregates.
//
// Rows are inserted frozen, like the ledger's: they survive a ROLLBACK of the transaction that wrote them and are seen
// by every session at once. Reading takes no privilege of the asking role; those who call these functions have checked
// it.
#pragma once

#include "core/accounting/amount.h"
#include "core/accumulate/answer_shape.h"
#include "core/mechanism/noise_path.h"
#include "core/noise/integers.h"
#include "pg/server.h"

namespace dp::budget {

// Epsilons as they are stored: nano-epsilon in a bigint.
inline Datum nano_datum(mechanism::Epsilon epsilon) { return Int64GetDatum(static_cast<std::int64_t>(epsilon.nano)); }
inline mechanism::Epsilon epsilon_of(std::int64_t nano) { return {static_cast<std::uint64_t>(nano)}; }

struct ReleasedAggregate {
  const char* name;
  const char* mechanism;
  mechanism::Epsilon epsilon;  // of the first answer
  mechanism::NoisePath path;   // in refined steps; none: not relaxable, nothing is kept of its answers
  int coordinates;             // integers of one answer
  aggregate::Form form;

  bool relaxable() const { return path.exists(); }

  // What it is called at a level: by its text alone at that of the first answer.
  const char* label(mechanism::Epsilon level) const;

  // Whether a user who wrote that means it: its text, or what it is called at any level.
  bool is_called(const char* text) const;
};

struct ReleasePart {
  std::int64_t release;
  int number;
  TimestampTz made_at;
  Oid role;      // who made it and paid for its first answers
  List* tables;  // oid: the protected tables, the first one first; each of them was charged in full
  int sets;      // grouping sets: each is paid for
  std::int64_t groups;
  Amount selection;  // what the private choice of its groups cost
  const char* query;
  int size;  // of aggregates
  ReleasedAggregate* aggregates;
  bytea* small = nullptr;  // all of it, as small_part.h has it; nullptr: it stands in tables of its own
  List* blocks = NIL;      // oid: what was charged in the place of tables whose partitions have a budget each; or NIL

  Oid first_table() const { return linitial_oid(tables); }

  // Of one level of that aggregate; of all first answers that are kept.
  std::int64_t numbers(int aggregate) const { return groups * aggregates[aggregate].coordinates; }
  std::int64_t numbers() const {
    std::int64_t sum = 0;
    for (int i = 0; i < size; ++i) sum += aggregates[i].relaxable() ? numbers(i) : 0;
    return sum;
  }
};

// What a form is called where it is stored: its kind; of pairs the second column and the part behind it.
const char* form_name(const aggregate::Form& form);
void read_form_name(const char* name, aggregate::Form* form);

[[noreturn]] void refuse_damaged(const ReleasePart& part, const char* detail);

// Whether there is a release of that number already: a restore may have brought one without the charge that gave it its
// number.
bool number_taken(std::int64_t release);

// Writes the parts (ReleasePart*, in order), once all that belongs to them is written. The first one comes last:
// without it there is no such release, so that what fails on the way leaves none.
void write_parts(List* parts);

// The parts of a release, in order: ReleasePart*; NIL where there is no such release.
List* read_parts(std::int64_t release);

// The numbers of the releases all parts of which were made until that moment, and only on tables that the user curates:
// std::int64_t*. One that is still being written is not among them.
List* forgettable_releases(Oid user, TimestampTz until);

// The numbers of the releases that were made by a role whose privileges the user has, or on a table that it curates, by
// their parts: std::int64_t*. One that never came to be written whole may be among them.
List* releases_made_for(Oid user);

}  // namespace dp::budget
