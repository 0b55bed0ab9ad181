#include "budget/release/parts.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "aggregate/call/numeric_grid.h"
#include "budget/catalog/extension_catalog.h"
#include "budget/catalog/frozen_rows.h"
#include "budget/catalog/joined_tables.h"
#include "budget/catalog/ledger_rows.h"
#include "budget/policy/accounts.h"
#include "budget/release/small_part.h"
#include "core/accumulate/vector.h"

namespace dp::budget {
namespace {

constexpr const char* kAtLevel = " at epsilon ";

constexpr const char* kForms[] = {"bigint",
                                  "numeric",
                                  "float8",
                                  "mean",
                                  "variance",
                                  "stddev",
                                  "bigints",
                                  "bounds",
                                  "population_variance",
                                  "population_stddev",
                                  "totals",
                                  "all_moments",
                                  "cumulative",
                                  "covariance",
                                  "regression",
                                  "of_covariance",
                                  "of_regression"};

noise::Uint128 whole_number(Datum numeric) {
  noise::Uint128 number = 0;
  for (const char* digit = DatumGetCString(DirectFunctionCall1(numeric_out, numeric)); *digit != '\0'; ++digit) {
    if (*digit < '0' || *digit > '9') elog(ERROR, "stored sensitivity is not a whole number");
    number = number * 10 + static_cast<unsigned>(*digit - '0');
  }
  return number;
}

namespace aggregate_column {
enum {
  release = 1,
  part,
  aggregate,
  name,
  mechanism,
  epsilon,
  sensitivity,
  coordinates,
  form,
  refinement,
  exponent,
  lower,
  range
};
}
namespace part_column {
enum {
  release = 1,
  part,
  made_at,
  role,
  relation,
  sets,
  groups,
  selection_epsilon,
  selection_delta,
  query,
  small,
  partners,
  blocks
};
}

void write_aggregate(const ReleasePart& part, int number) {
  const ReleasedAggregate& a = part.aggregates[number];
  append_frozen(own_tables().release_aggregate,
                {Int64GetDatum(part.release), Int32GetDatum(part.number), Int32GetDatum(number),
                 CStringGetTextDatum(a.name), CStringGetTextDatum(a.mechanism), nano_datum(a.epsilon),
                 NumericGetDatum(aggregate::to_numeric(static_cast<noise::Int128>(a.path.number()))),
                 Int32GetDatum(a.coordinates), CStringGetTextDatum(form_name(a.form)), Int32GetDatum(a.form.refinement),
                 Int32GetDatum(a.form.exponent), Float8GetDatum(a.form.lower), Int64GetDatum(a.form.range)},
                a.relaxable() ? SIZE_MAX : aggregate_column::sensitivity - 1);
}

void write_part(const ReleasePart& part) {
  List* const partners = list_copy_tail(part.tables, 1);
  const Datum values[] = {Int64GetDatum(part.release),
                          Int32GetDatum(part.number),
                          TimestampTzGetDatum(part.made_at),
                          ObjectIdGetDatum(part.role),
                          ObjectIdGetDatum(part.first_table()),
                          Int32GetDatum(part.sets),
                          Int64GetDatum(part.groups),
                          Int64GetDatum(part.selection.epsilon),
                          Int64GetDatum(part.selection.delta),
                          ledger_text(part.query),
                          PointerGetDatum(part.small),
                          partners == NIL ? Datum{0} : partners_datum(partners),
                          part.blocks == NIL ? Datum{0} : partners_datum(part.blocks)};
  bool nulls[std::size(values)] = {};
  nulls[part_column::query - 1] = part.query == nullptr;
  nulls[part_column::small - 1] = part.small == nullptr;
  nulls[part_column::partners - 1] = partners == NIL;
  nulls[part_column::blocks - 1] = part.blocks == NIL;
  append_row(own_tables().release_part, values, nulls, Lasting::at_once);
}

ReleasedAggregate read_aggregate(const NumberedRows& row) {
  using namespace aggregate_column;
  aggregate::Form stored{.refinement = static_cast<std::uint8_t>(row.small(refinement)),
                         .exponent = row.small(exponent),
                         .lower = DatumGetFloat8(row.value(lower)),
                         .range = row.whole(range)};
  read_form_name(TextDatumGetCString(row.value(form)), &stored);
  return {TextDatumGetCString(row.value(name)),
          TextDatumGetCString(row.value(mechanism)),
          epsilon_of(row.whole(epsilon)),
          mechanism::NoisePath::stored(row.is_null(sensitivity) ? 0 : whole_number(row.value(sensitivity))),
          row.small(coordinates),
          stored};
}

void read_aggregates(ReleasePart* part) {
  if (part->small != nullptr) {
    const SmallPart small = read_small(*part);
    part->size = small.size;
    part->aggregates = small.aggregates;
    return;
  }
  int found = 0;
  for (NumberedRows row(own_tables().release_aggregate, part->release); row.next();) {
    if (row.small(aggregate_column::part) != part->number) continue;
    const int number = row.small(aggregate_column::aggregate);
    if (number >= part->size) {
      const Size bytes = sizeof(ReleasedAggregate) * (number + 1);
      part->aggregates = static_cast<ReleasedAggregate*>(
          part->aggregates == nullptr ? palloc0(bytes) : repalloc(part->aggregates, bytes));
      part->size = number + 1;
    }
    part->aggregates[number] = read_aggregate(row);
    ++found;
  }
  if (found != part->size || found == 0) refuse_damaged(*part, "Not all of its aggregates are there.");
}

ReleasePart* read_part(const NumberedRows& row) {
  using namespace part_column;
  auto* const read = static_cast<ReleasePart*>(palloc0(sizeof(ReleasePart)));
  *read = {row.whole(release),
           row.small(part),
           DatumGetTimestampTz(row.value(made_at)),
           DatumGetObjectId(row.value(role)),
           joined_tables(row, relation, partners),
           row.small(sets),
           row.whole(groups),
           {row.whole(selection_epsilon), row.whole(selection_delta)},
           row.is_null(query) ? nullptr : TextDatumGetCString(row.value(query)),
           0,
           nullptr,
           row.is_null(small) ? nullptr : DatumGetByteaPCopy(row.value(small)),
           row.is_null(blocks) ? NIL : tables_of(row.value(blocks))};
  return read;
}

template <class Test>
bool any_of_tables(List* tables, Test test) {
  ListCell* cell;
  foreach (cell, tables) {
    if (test(lfirst_oid(cell))) return true;
  }
  return false;
}

bool is_curator_of_any(List* tables, Oid user) {
  return any_of_tables(tables, [user](Oid table) { return is_curator(table, user); });
}

bool is_curator_of_all(List* tables, Oid user) {
  return !any_of_tables(tables, [user](Oid table) { return !is_curator(table, user); });
}

int by_number(const ListCell* a, const ListCell* b) {
  return static_cast<ReleasePart*>(lfirst(a))->number - static_cast<ReleasePart*>(lfirst(b))->number;
}

}  // namespace

const char* ReleasedAggregate::label(mechanism::Epsilon level) const {
  return level == epsilon ? name : psprintf("%s%s%s", name, kAtLevel, epsilon_decimal(level).text);
}

bool ReleasedAggregate::is_called(const char* text) const {
  const std::size_t length = strlen(name);
  return strncmp(text, name, length) == 0 &&
         (text[length] == '\0' || strncmp(text + length, kAtLevel, strlen(kAtLevel)) == 0);
}

// A double as its bits: the same when it is read.
const char* form_name(const aggregate::Form& form) {
  const char* const kind = kForms[static_cast<int>(form.kind)];
  if (!aggregate::is_of_pairs(form.kind)) return kind;
  return psprintf("%s %d %llx %lld %d", kind, static_cast<int>(form.part),
                  static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(form.second.lower)),
                  static_cast<long long>(form.second.range), form.second.exponent);
}

void read_form_name(const char* name, aggregate::Form* form) {
  const std::size_t size = strcspn(name, " ");
  const auto* const found = std::find_if(std::begin(kForms), std::end(kForms), [=](const char* kind) {
    return strlen(kind) == size && strncmp(kind, name, size) == 0;
  });
  if (found == std::end(kForms)) elog(ERROR, "stored form \"%s\" is not known", name);
  form->kind = static_cast<aggregate::Form::Kind>(found - std::begin(kForms));
  if (!aggregate::is_of_pairs(form->kind)) return;
  int part = 0, exponent = 0;
  unsigned long long lower = 0;
  long long range = 0;
  if (sscanf(name + size, "%d %llx %lld %d", &part, &lower, &range, &exponent) != 4 || part < 0 ||
      part > static_cast<int>(aggregate::Part::covariances))
    elog(ERROR, "stored form \"%s\" is not known", name);
  form->part = static_cast<aggregate::Part>(part);
  form->second = {std::bit_cast<double>(static_cast<std::uint64_t>(lower)), range, exponent};
}

void refuse_damaged(const ReleasePart& part, const char* detail) {
  ereport(ERROR,
          (errcode(ERRCODE_DATA_CORRUPTED), errmsg("release %lld is damaged", static_cast<long long>(part.release)),
           errdetail("%s", detail), errhint("Ask its query again, which makes a new release.")));
  pg_unreachable();
}

bool number_taken(std::int64_t release) { return has_number(own_tables().release_part, release); }

void write_parts(List* parts) {
  ListCell* cell;
  foreach (cell, parts) {
    const auto& part = *static_cast<ReleasePart*>(lfirst(cell));
    for (int i = 0; part.small == nullptr && i < part.size; ++i) write_aggregate(part, i);
  }
  for (int i = list_length(parts) - 1; i >= 0; --i) write_part(*static_cast<ReleasePart*>(list_nth(parts, i)));
}

List* read_parts(std::int64_t release) {
  List* parts = NIL;
  for (NumberedRows row(own_tables().release_part, release); row.next();) parts = lappend(parts, read_part(row));
  if (parts == NIL) return NIL;
  list_sort(parts, by_number);
  if (static_cast<ReleasePart*>(linitial(parts))->number != 0) return NIL;
  ListCell* cell;
  foreach (cell, parts) read_aggregates(static_cast<ReleasePart*>(lfirst(cell)));
  return parts;
}

List* forgettable_releases(Oid user, TimestampTz until) {
  struct Candidate {
    std::int64_t number;
    bool whole;  // the first part is there, and with it all the others
    bool goes;
  };
  List* candidates = NIL;
  for (NumberedRows row(own_tables().release_part); row.next();) {
    using namespace part_column;
    auto* last = candidates == NIL ? nullptr : static_cast<Candidate*>(llast(candidates));
    if (last == nullptr || last->number != row.whole(release)) {
      last = new (palloc(sizeof(Candidate))) Candidate{row.whole(release), false, true};
      candidates = lappend(candidates, last);
    }
    last->whole = last->whole || row.small(part) == 0;
    last->goes = last->goes && DatumGetTimestampTz(row.value(made_at)) <= until &&
                 is_curator_of_all(joined_tables(row, relation, partners), user);
  }
  List* numbers = NIL;
  ListCell* cell;
  foreach (cell, candidates) {
    auto* const candidate = static_cast<Candidate*>(lfirst(cell));
    if (candidate->whole && candidate->goes) numbers = lappend(numbers, &candidate->number);
  }
  return numbers;
}

List* releases_made_for(Oid user) {
  List* numbers = NIL;
  for (NumberedRows row(own_tables().release_part); row.next();) {
    using namespace part_column;
    if (!has_privs_of_role(user, DatumGetObjectId(row.value(role))) &&
        !is_curator_of_any(joined_tables(row, relation, partners), user))
      continue;
    numbers = lappend(numbers, new (palloc(sizeof(std::int64_t))) std::int64_t(row.whole(release)));
  }
  return numbers;
}

}  // namespace dp::budget
