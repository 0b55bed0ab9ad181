// The rows of dp.protected_table and dp.account: read by primary key with a fresh catalog snapshot, written like a
// system catalog's. Nothing here asks what the current role may do.
#pragma once

#include <algorithm>
#include <optional>

#include "core/accounting/amount.h"
#include "pg/server.h"

namespace dp::budget {

// How an account counts what is spent: epsilon adds up, or Rényi divergences do (core/accounting/renyi_filter.h).
enum class Accountant : std::uint8_t { pure, renyi };

// How long a limit lasts, after which it is there anew. `sliding`: each charge counts that long; otherwise all charges
// count until the period of the calendar ends (policy/period.h).
struct Period {
  Interval length{};  // of nothing: for ever
  bool sliding = false;

  bool exists() const { return length.time != 0 || length.day != 0 || length.month != 0; }
  friend bool operator==(const Period& a, const Period& b) {
    return a.length.time == b.length.time && a.length.day == b.length.day && a.length.month == b.length.month &&
           a.sliding == b.sliding;
  }
};

// A limit on what may be spent, in its period. `query_epsilon` is the most that one statement may cost, in
// nano-epsilon; 0 means no such limit. `charges` is how often it may be charged at all; 0: as often as there is room.
struct Limit {
  Amount total;
  std::int64_t query_epsilon = 0;
  std::int64_t min_epsilon = 0;  // of a protected table: what a charge costs at least, as said; 0: nothing was said
  std::int64_t charges = 0;
  Accountant accountant = Accountant::pure;  // of a protected table, and of all accounts on it
  std::int64_t conversion = 0;  // of delta, what is set aside for turning divergences into epsilon; 0: a half of it
  Period period{};

  std::int64_t conversion_delta() const { return conversion > 0 ? conversion : total.delta / 2; }
  // What is left of delta for answers that have one.
  std::int64_t answer_delta(bool divergences) const { return total.delta - (divergences ? conversion_delta() : 0); }

  // What a charge costs at least. Each one writes to the ledger and leaves a release, so that without such a limit a
  // small budget fills a large disk. Where nothing was said it leaves room for one charge.
  std::int64_t least() const {
    if (min_epsilon > 0) return min_epsilon;
    return std::min({kMinEpsilon, total.epsilon, query_epsilon > 0 ? query_epsilon : total.epsilon});
  }

  static constexpr std::int64_t kMinEpsilon = 1000;  // 10^-6
};

// The privacy unit of a protected table, and how much of one unit an answer may depend on. Limits are 0 where none is
// set.
struct UnitPolicy {
  // Names the unit, as policy/unit_path.h reads it: a column, or foreign keys and the column that they lead to;
  // nullptr: each row is a unit of its own.
  const char* path = nullptr;
  List* steps =
      NIL;  // String: what the foreign keys were when that was declared; NIL: the path is the name of a column
  std::int32_t rows = 0;
  std::int32_t groups = 0;
  std::int32_t rows_per_group = 0;
  // The column of the table by which rows are kept of a unit that has too many, the first ones or the latest; nullptr:
  // they are chosen at random.
  const char* kept_by = nullptr;
  bool latest = false;
  // Of a table whose partitions have a budget each: in how many of them rows of one unit lie at most, so that the unit
  // is promised so many of these budgets; 0: nothing is said.
  std::int32_t blocks = 0;

  bool declared() const { return path != nullptr; }
  bool limited() const { return rows > 0 || groups > 0; }
};

// How long the releases of a protected table are kept, and how many of their noisy numbers. 0: no such limit.
struct Retention {
  Interval age{};
  std::int64_t numbers = 0;

  bool by_age() const { return age.time != 0 || age.day != 0 || age.month != 0; }
};

// A row of one of the two tables.
struct Policy {
  static constexpr std::int64_t kNoAnswerEpsilon = -1;

  Oid relation;
  Oid role;  // InvalidOid: of a protected table
  Limit limit;
  // Of a protected table: the price of a private choice of groups, for each grouping set; zero: nothing is said, or that
  // none are chosen.
  Amount selection;
  UnitPolicy unit;           // of a protected table
  bool allow_leaks = false;  // of an account: its role may see sizes and counters
  std::int64_t answer_epsilon =
      0;  // of an answer that names none, in nano-epsilon; 0: nothing is said; kNoAnswerEpsilon: there is none
  // Of an answer that names no epsilon, as dp_mechanism writes it; nullptr: nothing is said, which is not "auto".
  const char* answer_mechanism = nullptr;
  Retention retention{};      // of a protected table
  bool no_selection = false;  // groups are not chosen
  bool blocks = false;        // of a protected table: its partitions have a budget each
};

// Whether this library can read them: false where the extension's version is another one, so that a look raises 55000.
bool can_read_policies();

// What is said of the relation itself.
std::optional<Policy> protected_policy(Oid relation);
bool remove_protected(Oid relation);

// What is said of the role's own account on the relation.
std::optional<Policy> account_policy(Oid relation, Oid role);
bool remove_account(Oid relation, Oid role);
void remove_accounts(Oid relation);

// Inserts the row, or changes the one with the same key.
void store(const Policy& policy);

// Palloc'd lists of Policy*: every protected table, in the order of their numbers, and none where the extension is not
// created; the accounts on a table, in the
// order of their roles' numbers.
List* all_protected();
List* accounts_on(Oid relation);

// The same of the accounts of a role; none where the extension is not created.
List* accounts_of(Oid role);

}  // namespace dp::budget
