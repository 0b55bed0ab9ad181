// Statements whose trees are unlike those that people write, over protected tables and over plain ones, asked by a role
// with a budget, by a superuser and by a stranger without any right on what is protected. What is answered must be what
// PostgreSQL itself answers, in a database without the extension (test/support/weird_tables.h); nothing may end the
// server, be a fault of ours (XX000), fire the circuit breaker (DP005) or close an account. What does is shown with its
// seed, after parts of it were left out as far as it still does.
//
// Arguments: seconds to run, seed (1), number of findings after which it ends (1; 0 for all in that time, and at the
// end why questions were refused). Without any it asks as many statements as take 20 to 40 seconds on two cores: the
// same ones on whatever machine.
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "support/pattern.h"
#include "support/server.h"
#include "support/weird_statements.h"
#include "support/weird_tables.h"

using namespace dp::test;

namespace {

using Rows = std::vector<std::vector<std::string>>;

struct Outcome {
  std::string state, message;  // of an error
  Rows rows;
  std::string notices;
  bool lost = false;  // the connection
};

class Asking {
 public:
  explicit Asking(std::string options) : options_(std::move(options)) {}

  Outcome ask(const std::string& sql) {
    if (session_ == nullptr) connect();
    Outcome outcome;
    // Another one may have ended the server.
    while (!session_->attempt("BEGIN").ok()) connect();
    notices_.clear();
    const Result result = session_->attempt(sql);
    outcome.notices = notices_;
    if (!session_->connected()) {
      outcome.lost = true;
      outcome.message = result.message();
      session_.reset();
      return outcome;
    }
    if (!result.ok()) {
      outcome.state = result.state();
      const char* const message = PQresultErrorField(result.libpq(), PG_DIAG_MESSAGE_PRIMARY);
      outcome.message = message == nullptr ? "" : message;
    }
    for (int row = 0; row < result.rows(); ++row) {
      auto& values = outcome.rows.emplace_back();
      for (int column = 0; column < PQnfields(result.libpq()); ++column) {
        const bool null = PQgetisnull(result.libpq(), row, column) != 0;
        values.push_back(null ? "NULL" : result.value(row, column));
      }
    }
    session_->attempt("ROLLBACK");
    return outcome;
  }

  void disconnect() { session_.reset(); }

 private:
  // After a crash the server takes a moment.
  void connect() {
    wait_until(
        [&] {
          session_ = std::make_unique<Session>(options_);
          return session_->attempt("SET statement_timeout = '5s'").ok();
        },
        "the server answers again", std::chrono::seconds(60), std::chrono::milliseconds(50));
    PQsetNoticeReceiver(
        session_->libpq(),
        [](void* to, const PGresult* notice) {
          const std::string message = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
          if (message.starts_with("preview: ")) *static_cast<std::string*>(to) += message + "\n";
        },
        &notices_);
  }

  std::string options_, notices_;
  std::unique_ptr<Session> session_;
};

// ---- answers --------------------------------------------------------------------------------------------------------

bool near(const std::string& is, const std::string& should_be) {
  if (is == should_be) return true;
  char *end, *other;
  const double x = std::strtod(is.c_str(), &end), y = std::strtod(should_be.c_str(), &other);
  if (should_be == "NULL" && *end == '\0') return std::fabs(x) < 0.5;  // a sum of nothing
  if (*end != '\0' || *other != '\0' || is.empty() || should_be.empty()) return false;
  return std::fabs(x - y) <= 0.5 + 1e-3 * std::fabs(y);
}

// Whatever their order. Rows that are the same come first: of 0 and NULL as keys both are near to a sum of nothing.
std::string difference(const Rows& is, const Rows& should_be, bool exactly) {
  std::vector<bool> found(is.size()), seen(should_be.size());
  const auto pair_off = [&](const auto& alike) {
    for (std::size_t row = 0; row < should_be.size(); ++row) {
      for (std::size_t i = 0; i < is.size() && !seen[row]; ++i) {
        if (found[i] || is[i].size() != should_be[row].size()) continue;
        seen[row] = found[i] = std::equal(is[i].begin(), is[i].end(), should_be[row].begin(), alike);
      }
    }
  };
  pair_off(std::equal_to<std::string>());
  if (!exactly) pair_off(near);
  for (std::size_t row = 0; row < should_be.size(); ++row) {
    if (!seen[row]) return "no row " + listed(should_be[row], " | ");
  }
  for (std::size_t i = 0; i < is.size(); ++i) {
    if (!found[i]) return "a row " + listed(is[i], " | ");
  }
  return "";
}

// ---- one statement --------------------------------------------------------------------------------------------------

std::string without_numbers(const std::string& message) {
  static const Pattern number("[0-9]+");
  return number.replaced(message, "#");
}

struct Statement {
  std::string sql;
  bool is_private = false;
  bool is_known = true;  // PostgreSQL has the same answer
  bool writes = false;
};

struct Finding {
  std::string kind;  // what makes it the same finding
  std::string what;
};

class Trial {
 public:
  explicit Trial(const std::string& plain)
      : asker_("user=" + std::string(kAsker)),
        owner_(""),
        stranger_("user=" + std::string(kStranger)),
        truth_("dbname=" + plain) {}

  int asked = 0, answered = 0;
  std::map<std::string, int> refusals;  // what was said to the asker, without numbers and names

  Finding judged(const Statement& statement) {
    const std::string& sql = statement.sql;
    const bool is_private = statement.is_private;
    const Outcome truth = truth_.ask(sql);
    // PostgreSQL 15's own fault: "failed to build any 5-way joins".
    if (truth.state == "57014" || truth.message.starts_with("failed to build any")) return {};
    if (Finding fault = fault_of(truth, "PostgreSQL", false); !fault.kind.empty()) return fault;
    const Outcome owner = owner_.ask(sql);
    if (Finding fault = differing("a superuser", owner, truth); !fault.kind.empty()) return fault;
    const Outcome stranger = stranger_.ask(sql);
    Finding fault = is_private ? fault_of(stranger, "a stranger", truth.state == "XX000")
                               : differing("a stranger", stranger, truth);
    if (!fault.kind.empty()) return fault;
    const Outcome asker = asker_.ask(sql);
    if (!is_private) return differing("an asker", asker, truth);
    if (fault = fault_of(asker, "an asker", truth.state == "XX000"); !fault.kind.empty()) return fault;
    ++asked;
    if (!asker.state.empty()) {
      ++refusals[asker.state + " " + without_numbers(asker.message)];
      return {};
    }
    ++answered;
    if (!truth.state.empty() && statement.is_known)
      return {"answered", "an asker is answered, PostgreSQL says " + truth.state + " " + truth.message};
    const std::string other = difference(asker.rows, truth.rows, false);
    if (!other.empty() && statement.is_known)
      return {"another answer", "an asker is answered otherwise than by PostgreSQL: " + other};
    return preview(statement);
  }

  // Whatever shows, keeps or wraps a question does with it what the question itself does (test/support/previews.sql).
  Finding preview(const Statement& statement) {
    if (statement.writes) return {};
    const Outcome outcome = asker_.ask("SELECT previews.judge($weird$" + statement.sql + "$weird$)");
    if (Finding fault = fault_of(outcome, "a preview", false); !fault.kind.empty()) return fault;
    if (outcome.notices.empty()) return {};
    return {"preview " + outcome.notices.substr(0, outcome.notices.find(' ', 40)), outcome.notices};
  }

 private:
  Finding fault_of(const Outcome& outcome, const std::string& who, bool faults_expected) {
    if (outcome.lost) {
      // All connections are.
      for (Asking* const other : {&asker_, &owner_, &stranger_, &truth_}) other->disconnect();
      return {"signal", who + ": the connection is lost: " + outcome.message};
    }
    if (outcome.state == "DP005") {
      Session().run("SELECT dp.reopen(relation, role) FROM dp.budgets WHERE closed AND role IS NOT NULL");
      return {"DP005", who + ": " + outcome.message};
    }
    if (outcome.state == "XX000" && !faults_expected)
      return {"XX000 " + without_numbers(outcome.message), who + ": " + outcome.message};
    return {};
  }

  Finding differing(const std::string& who, const Outcome& is, const Outcome& should_be) {
    if (Finding fault = fault_of(is, who, should_be.state == "XX000"); !fault.kind.empty()) return fault;
    if (is.state == "57014") return {};
    if (is.state != should_be.state)
      return {"state " + is.state + " not " + should_be.state,
              who + ": " + is.state + " " + is.message + ", not " + should_be.state + " " + should_be.message};
    const std::string other = difference(is.rows, should_be.rows, true);
    return other.empty() ? Finding{} : Finding{"differs for " + who, who + ": " + other};
  }

  Asking asker_, owner_, stranger_, truth_;
};

Statement made_of(Choices& dice) {
  Weird weird(dice);
  Statement made;
  made.is_private = !weird.once_in(3);
  made.sql = weird.statement(made.is_private);
  made.is_known = !weird.may_differ;
  made.writes = weird.writes;
  return made;
}

}  // namespace

int main(int count, char** arguments) {
  constexpr unsigned kStatements = 1'200;
  const double seconds = count > 1 ? std::strtod(arguments[1], nullptr) : 0;
  const unsigned seed = count > 2 ? static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10)) : 1;
  const std::size_t most = count > 3 ? std::strtoul(arguments[3], nullptr, 10) : 1;
  const std::string plain = [] {
    Session admin;
    std::ifstream file("test/support/previews.sql");
    const std::string previews{std::istreambuf_iterator<char>(file), {}};
    require(!previews.empty(), "test/support/previews.sql is not there");
    admin.run(previews);
    return make_weird_databases(admin);
  }();
  const auto begin = std::chrono::steady_clock::now();
  std::map<std::string, int> kinds;
  Trial trial(plain);
  unsigned made = 0;
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  const auto goes_on = [&] { return count > 1 ? passed() < seconds : made < kStatements; };
  for (; goes_on() && (most == 0 || kinds.size() < most); ++made) {
    Choices dice(seed * 1'000'000 + made);
    const Statement made_up = made_of(dice);
    const Finding finding = trial.judged(made_up);
    if (finding.kind.empty() || kinds[finding.kind]++ > 0) continue;
    std::string what = finding.what, smaller = made_up.sql;
    smallest(dice.made(), finding.kind == "signal" ? 80 : 500, [&](const std::vector<int>& choices) {
      Choices fewer(choices);
      const Statement candidate = made_of(fewer);
      if (candidate.sql.size() > smaller.size()) return false;
      const Finding found = trial.judged(candidate);
      if (found.kind != finding.kind) return false;
      smaller = candidate.sql;
      what = found.what;
      return true;
    });
    std::printf("seed %u, statement %u: %s\n%s;\n%s\n\n", seed, made, finding.kind.c_str(), smaller.c_str(),
                what.c_str());
    std::fflush(stdout);
  }
  std::printf("%u weird statements, %d of them private ones that PostgreSQL answers, %d answered\n", made, trial.asked,
              trial.answered);
  if (most == 0) {
    for (const auto& [why, times] : trial.refusals) std::printf("refused %d times: %s\n", times, why.c_str());
  }
  for (const auto& [kind, times] : kinds) std::printf("%d times: %s\n", times, kind.c_str());
  require(kinds.empty(), "findings");
}
