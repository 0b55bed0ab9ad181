// Hostile scripts: what a role with a budget and no privilege on a table can do in several statements and two sessions,
// with objects of its own, while a curator works beside it. Each script runs on a table (side `near`) and on its
// neighbour, which lacks the rows of one unit (side `far`). All that is seen must be the same: errors, messages of
// every level, plans, shapes, charges, prepared statements, the role's own tables; answers only where a step says by
// how much they may differ.
//
// test/support/fuzz_hostile_*.h make such scripts, one subject each; test/fault/fuzz.cpp and test/fault/hostile.cpp run
// them.
#pragma once

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <random>
#include <utility>

#include "support/fuzz_truth.h"
#include "support/pattern.h"

namespace dp::test {

enum class Actor { asker, second, curator };  // second: the same role in another session

struct Step {
  enum class Kind {
    shape,      // everything but values
    values,     // values as well
    within,     // numbers in them differ by at most `most` in all
    as_before,  // and, on each side, from those of the last step with numbers
    asleep,     // sent; goes on when it stands at the gate (kWaitsAtGate), waits for another lock, or is done
    charged,    // sent; goes on when something was charged, or it is done
    finish,     // takes the outcome of such a one, as shape
  };
  Actor actor = Actor::asker;
  std::string sql;
  Kind kind = Kind::shape;
  double most = 0;
  Truth truth = {};  // asked by the curator, in the schema named with _truth behind
};

using Script = std::vector<Step>;

inline Step asks(const std::string& sql) { return {Actor::asker, sql}; }
inline Step asks_within(const std::string& sql, double most) { return {Actor::asker, sql, Step::Kind::within, most}; }
inline Step reads(const std::string& sql) { return {Actor::asker, sql, Step::Kind::values}; }
inline Step begins(const std::string& sql) { return {Actor::asker, sql, Step::Kind::asleep}; }
inline Step begins_to_pay(const std::string& sql) { return {Actor::asker, sql, Step::Kind::charged}; }
inline Step finishes() { return {Actor::asker, "", Step::Kind::finish}; }
inline Step beside(const std::string& sql) { return {Actor::second, sql}; }
inline Step curates(const std::string& sql) { return {Actor::curator, sql}; }

inline Script operator+(Script first, const Script& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}

  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  bool once_in(int n) { return below(n) == 0; }

  template <class T>
  T one_of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }
  std::string word(const std::vector<std::string>& list) { return one_of(list); }

 private:
  std::mt19937 random_;
};

// `text` with each `from` replaced.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t place = 0; (place = text.find(from, place)) != std::string::npos; place += to.size())
    text.replace(place, from.size(), to);
  return text;
}

inline constexpr const char* kHostile = "hostile_asker";

// A function waits() that stands at a gate until what the next step does is done, or waits for the asker; then looks at
// the catalogue again.
inline const std::string kWaitsAtGate =
    "CREATE FUNCTION waits() RETURNS int LANGUAGE plpgsql IMMUTABLE AS 'BEGIN PERFORM pg_advisory_lock_shared(15); "
    "PERFORM pg_advisory_unlock_shared(15); PERFORM count(*) FROM pg_class; RETURN 1; END'";

// Schemas; what the asker makes is in one named with _own behind. Of one length, so that errors point to the same
// places.
inline const std::string kNear = "side_a", kFar = "side_b";

// Numbers of objects, transactions, processes and temporary schemas, which differ between sides; times.
inline std::string without_numbers(const std::string& message) {
  static const Pattern kMarked(R"((pg_temp_|pg_toast_temp_|pg_toast_|pid[ =:]*|process )[0-9]+)");
  static const Pattern kTransaction(R"((xid/subid/cid: |transaction )[0-9/]+|tuple \([0-9]+,[0-9]+\))");
  static const Pattern kTime(R"([0-9]+\.[0-9]+ ?m?s\b)");
  static const Pattern kLong(R"(\b[0-9]{5,}\b)");
  return kLong.replaced(kTime.replaced(kTransaction.replaced(kMarked.replaced(message, "#"), "#"), "# s"), "#");
}

// The same names on both sides, also where a message shows a part of the statement.
inline std::string without_side(const std::string& text) {
  static const Pattern side(R"(\bside_[ab])");
  return side.replaced(text, "SIDE");
}

// One connection and what its user sees of it.
class Watcher {
 public:
  explicit Watcher(const std::string& options) : session_(options) {
    require(session_.connected(), PQerrorMessage(session_.libpq()));
    PQsetErrorVerbosity(session_.libpq(), PQERRORS_VERBOSE);
    PQsetErrorContextVisibility(session_.libpq(), PQSHOW_CONTEXT_ALWAYS);
    PQsetNoticeReceiver(
        session_.libpq(), [](void* to, const PGresult* notice) { *static_cast<std::string*>(to) += message(notice); },
        &seen_);
  }

  Session& session() { return session_; }

  // Since it was last asked.
  std::string seen() { return std::exchange(seen_, ""); }

  void note(const Result& result, Step::Kind kind) {
    const PGresult* const raw = result.libpq();
    if (!result.ok()) seen_ += message(raw) + "SQLSTATE " + result.state() + "\n" + result.fault();
    for (int column = 0; column < PQnfields(raw); ++column) {
      seen_ += std::string(PQfname(raw, column)) + " " + std::to_string(PQfmod(raw, column)) + ", ";
    }
    seen_ += std::string(PQcmdStatus(const_cast<PGresult*>(raw))) + ", " + std::to_string(result.rows()) + " rows\n";
    for (int row = 0; row < result.rows(); ++row) {
      for (int column = 0; column < PQnfields(raw); ++column) {
        if (kind == Step::Kind::values) seen_ += result.value(row, column) + " | ";
        if (kind == Step::Kind::within || kind == Step::Kind::as_before) add_numbers(result.value(row, column));
      }
      if (kind == Step::Kind::values) seen_ += "\n";
    }
  }

  std::vector<double> numbers() { return std::exchange(numbers_, {}); }

 private:
  // That PostgreSQL enlarges or cleans its own caches, or reads a page that is in none (18 tells each step), depends on
  // what sessions did before, not on rows.
  static std::string message(const PGresult* result) {
    std::string text = PQresultErrorMessage(result);
    const bool of_caches = text.find("rehashing catalog cache") != std::string::npos ||
                           text.find("sinval catchup") != std::string::npos || text.find("|op ") != std::string::npos;
    return of_caches ? "" : without_numbers(without_cut_name(text));
  }

  // An excerpt of the statement may begin within the name of a side.
  static std::string without_cut_name(std::string text) {
    const std::size_t excerpt = text.find(": ...", std::min(text.find("\nLINE "), text.size()));
    if (excerpt == std::string::npos) return text;
    const std::size_t begin = excerpt + 5;
    std::size_t end = begin;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
    return text.erase(begin, end - begin);
  }

  void add_numbers(const std::string& value) {
    for (const char* place = value.c_str(); *place != '\0';) {
      char* end;
      const double number = std::strtod(place, &end);
      if (end != place) numbers_.push_back(number);
      place = end == place ? place + 1 : end;
    }
  }

  Session session_;
  std::string seen_;
  std::vector<double> numbers_;
};

struct SeenOfStep {
  std::string words;
  std::vector<double> numbers;
  std::string untrue;     // what is otherwise than in PostgreSQL's own answer
  bool compared = false;  // with that
};

// A script on one side, with fresh sessions, and a fresh schema for what the asker makes.
class Stage {
 public:
  Stage(Session& admin, const std::string& side)
      : admin_(admin),
        side_(side),
        asker_(std::string("user=") + kHostile),
        second_(std::string("user=") + kHostile),
        curator_("") {
    admin_.run("SET client_min_messages = warning; DROP SCHEMA IF EXISTS " + side + "_own CASCADE; CREATE SCHEMA " +
               side + "_own AUTHORIZATION " + kHostile + "; RESET client_min_messages");
    for (Watcher* const watcher : {&asker_, &second_})
      watcher->session().run("SET search_path = " + side + "_own, " + side + ", public");
    curator_.session().run("SET search_path = " + side + ", public; SET client_min_messages = warning");
    spent_before_ = spent("0");
    ledger_before_ = admin_.value("SELECT coalesce(max(seq), 0) FROM dp.ledger");
  }

  SeenOfStep run(const Step& step) {
    Watcher& watcher = of(step.actor);
    const std::string sql = with(with(step.sql, "{there}", side_ == kNear ? "true" : "false"), "{side}", side_);
    SeenOfStep seen;
    switch (step.kind) {
      case Step::Kind::asleep:
        admin_.run("SELECT pg_advisory_lock(15)");
        gate_is_shut_ = true;
        watcher.session().send(sql);
        wait_until([&] { return is_done(watcher) || waits(watcher); }, "it waits: " + sql);
        return {};
      case Step::Kind::charged: {
        const std::string before = spent("0");
        watcher.session().send(sql);
        wait_until([&] { return is_done(watcher) || spent("0") != before; }, "it is charged: " + sql);
        return {};
      }
      case Step::Kind::finish:
        open();
        if (const Result result = watcher.session().finish()) watcher.note(result, Step::Kind::shape);
        break;
      default:
        const Result answer = gate_is_shut_ ? beside_the_gate(watcher, sql) : watcher.session().attempt(sql);
        if (step.actor == Actor::curator) {
          require(answer.ok(), sql + "\n" + answer.message());
          break;
        }
        watcher.note(answer, step.kind);
        seen.compared = answer.ok() && !step.truth.sql.empty();
        if (seen.compared) seen.untrue = untrue(answer, rows_of(step.truth), step.truth);
    }
    if (PQstatus(watcher.session().libpq()) != CONNECTION_OK)
      fail("the server crashed on " + sql + "\n" + watcher.seen());
    seen.words = watcher.seen();
    seen.numbers = watcher.numbers();
    if (step.actor != Actor::curator) seen.words += "charged until now: " + spent(spent_before_) + "\n";
    seen.words = without_side(seen.words);
    return seen;
  }

  // What is left in the end.
  SeenOfStep leave() {
    open();
    asker_.session().attempt("ROLLBACK");
    asker_.session().attempt("RESET ALL; SET search_path = pg_catalog");
    asker_.seen();
    SeenOfStep seen = run(
        reads("SELECT name, generic_plans, custom_plans, parameter_types FROM pg_prepared_statements ORDER BY name"));
    seen.words +=
        run(reads("SELECT kind, epsilon, delta, query FROM dp.ledger WHERE seq > " + ledger_before_ + " ORDER BY seq"))
            .words;
    return seen;
  }

  // An error that rises below the noise closes the account: one that shows, whoever it was about. Opened again for what
  // comes next.
  std::string closed() {
    const std::string entries = " FROM dp.ledger WHERE kind = 'closed' AND seq > " + ledger_before_;
    const std::string tables = admin_.value("SELECT coalesce(string_agg(DISTINCT relation::text, ', '), '')" + entries);
    if (!tables.empty())
      admin_.run("SELECT dp.reopen(relation, role) FROM (SELECT DISTINCT relation, role" + entries + ") AS q");
    return tables;
  }

 private:
  Watcher& of(Actor actor) { return actor == Actor::asker ? asker_ : actor == Actor::second ? second_ : curator_; }

  Result rows_of(const Truth& truth) {
    Session& session = curator_.session();
    session.run("SET search_path = " + side_ + "_truth, " + side_ + ", public");
    Result rows = session.run(truth.sql);
    session.run("SET search_path = " + side_ + ", public");
    return rows;
  }

  void open() {
    if (std::exchange(gate_is_shut_, false)) admin_.run("SELECT pg_advisory_unlock(15)");
  }

  // Runs it while the gate is shut, as far as it comes without what stands there.
  Result beside_the_gate(Watcher& watcher, const std::string& sql) {
    Session& session = watcher.session();
    Result last(nullptr);
    bool ended = false;
    session.send(sql);
    wait_until(
        [&] {
          while (!ended && is_done(watcher)) {
            Result result = session.next();
            ended = !result;
            if (!ended && (!last || last.ok())) last = std::move(result);
          }
          return ended || waits(watcher);
        },
        "it is done beside what waits: " + sql);
    open();
    Result rest = session.finish();
    return rest && (!last || last.ok()) ? std::move(rest) : std::move(last);
  }

  static bool is_done(Watcher& watcher) {
    PQconsumeInput(watcher.session().libpq());
    return PQisBusy(watcher.session().libpq()) == 0;
  }

  bool waits(Watcher& watcher) {
    return admin_.value("SELECT coalesce(max(wait_event_type), '') = 'Lock' FROM pg_stat_activity WHERE pid = " +
                        std::to_string(watcher.session().pid())) == "t";
  }

  std::string spent(const std::string& before) {
    return admin_.value("SELECT trim_scale(coalesce(sum(epsilon_spent), 0) - " + before +
                        ") FROM dp.budgets b JOIN pg_class c ON c.oid = b.relation "
                        "WHERE role IS NOT NULL AND relnamespace = '" +
                        side_ + "'::regnamespace");
  }

  Session& admin_;
  std::string side_;
  Watcher asker_, second_, curator_;
  std::string spent_before_, ledger_before_;
  bool gate_is_shut_ = false;
};

inline std::string shown(const Script& script) {
  std::string text;
  for (const Step& step : script) {
    const char* const actors[] = {"asker", "second session", "curator"};
    const std::string sql = step.kind == Step::Kind::finish ? "(its outcome)"
                            : step.sql.size() > 2000        ? step.sql.substr(0, 2000) + "..."
                                                            : step.sql;
    text += std::string(actors[static_cast<int>(step.actor)]) + ": " + sql + "\n";
  }
  return text;
}

inline std::string all_words(const std::vector<SeenOfStep>& steps) {
  std::string text;
  for (const SeenOfStep& step : steps) text += step.words.substr(0, 1000);
  return text;
}

inline double distance(const std::vector<double>& one, const std::vector<double>& other) {
  if (one.size() != other.size()) return INFINITY;
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) sum += std::fabs(one[i] - other[i]);
  return sum;
}

// How many questions had an answer that could be compared with PostgreSQL's own, and how many had none.
struct Tally {
  int compared = 0, unanswered = 0;
};

// Empty if nobody can tell the sides apart by it, and no answer is wrong.
inline std::string difference(Session& admin, const Script& script, Tally* tally = nullptr) {
  std::vector<SeenOfStep> seen[2];
  for (const int side : {0, 1}) {
    Stage stage(admin, side == 0 ? kNear : kFar);
    for (const Step& step : script) seen[side].push_back(stage.run(step));
    seen[side].push_back(stage.leave());
    const std::string closed = stage.closed();
    if (!closed.empty())
      return "an error below the noise closed the account on " + closed + "\n" + all_words(seen[side]);
  }
  for (std::size_t i = 0, before = 0; i <= script.size(); ++i) {
    const SeenOfStep &near = seen[0][i], &far = seen[1][i];
    const std::string where =
        i < script.size() ? script[i].sql.substr(0, 2000) : "prepared statements and ledger in the end";
    const auto cut = [](const std::string& words) {
      return words.size() > 6000 ? words.substr(0, 6000) + "...\n" : words;
    };
    if (near.words != far.words)
      return "at " + where + "\n--- with the unit:\n" + cut(near.words) + "--- without it:\n" + cut(far.words);
    if (near.numbers.size() != far.numbers.size()) return "at " + where + ": as many answers as rows tell\n";
    if (i == script.size()) break;
    if (tally != nullptr && !script[i].truth.sql.empty()) ++(near.compared ? tally->compared : tally->unanswered);
    for (const SeenOfStep* const seen_of_step : {&near, &far}) {
      if (!seen_of_step->untrue.empty())
        return "at " + where + "\n" + (seen_of_step == &near ? "with" : "without") +
               " the unit: " + seen_of_step->untrue + ", by\n" + script[i].truth.sql + "\n";
    }
    const bool again = script[i].kind == Step::Kind::as_before;
    const double sum = distance(near.numbers, far.numbers);
    // An answer that was drawn anew may be as far from that of the neighbour as the first.
    if (!(sum <= script[again ? before : i].most + (again ? script[i].most : 0)))
      return "at " + where + ": answers differ by " + std::to_string(sum) + "\n";
    for (const int side : {0, 1}) {
      const double changed = again ? distance(seen[side][i].numbers, seen[side][before].numbers) : 0;
      if (again && !(changed <= script[i].most))
        return "at " + where + ": not the answer as before, but off by " + std::to_string(changed) + "\n";
    }
    if (script[i].kind == Step::Kind::within) before = i;
  }
  return "";
}

// With steps left out as far as it still differs.
inline Script smallest(Session& admin, Script script) {
  for (std::size_t i = script.size(); i-- > 0;) {
    // What is started must be taken, and what a curator made must go.
    if (script[i].actor == Actor::curator || script[i].kind == Step::Kind::asleep ||
        script[i].kind == Step::Kind::charged || script[i].kind == Step::Kind::finish) {
      continue;
    }
    Script shorter = script;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
    if (!difference(admin, shorter).empty()) script = shorter;
  }
  return script;
}

}  // namespace dp::test
