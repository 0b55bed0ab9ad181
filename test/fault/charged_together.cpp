// Sessions that find the ledger's lock taken are charged by the one that has it. Each gets the answer that it has paid
// for, once, or the refusal that it would get by itself; and an answer is on disk, whoever has written its entry. Where
// the one that has the lock fails, the others go on by themselves.
#include "support/held_ledger.h"

using namespace dp::test;

namespace {

// More sessions than there are places, of several roles and about two tables.
void crowd(Session& admin, const std::string& name) {
  const int extra = 4;
  const Asker holder = hold(admin, name + " holder");
  std::vector<Asker> askers;
  for (int i = 0; i < kPlaces + extra; ++i) {
    askers.push_back(new_asker(name + " " + std::to_string(i), i));
    ask_and_wait(admin, askers.back(), i % 2 == 0 ? "t" : "u");
  }
  open(admin);
  require_answered(holder);
  for (const Asker& asker : askers) {
    require_answered(asker);
    require_entries(admin, asker, 1);
    require_equal(asker.session->value("SELECT dp_last_release()"),
                  admin.value("SELECT release_id FROM dp.ledger_entry WHERE query LIKE '%" + asker.mark + "%'"),
                  "the release of " + asker.mark);
  }
  require_equal(admin.value("SELECT count(*) FROM dp.ledger_entry WHERE xmin::text ="
                            " (SELECT xmin::text FROM dp.ledger_entry WHERE query LIKE '%" +
                            name + " holder;%')"),
                std::to_string(1 + kPlaces), "entries that the session with the lock has written");
  require_equal(
      admin.value("SELECT count(DISTINCT release_id) FROM dp.ledger_entry WHERE query LIKE '%/*" + name + " %'"),
      std::to_string(1 + kPlaces + extra), "releases of the crowd");
  check_books(admin, name);
}

// As many get an answer as fit, the others are refused, and nothing is left.
void last_epsilon(Session& admin) {
  new_table(admin, "t", "0.6");
  const Asker holder = hold(admin, "last holder");
  std::vector<Asker> askers;
  for (int i = 0; i < 12; ++i) {
    askers.push_back(new_asker("last " + std::to_string(i), i));
    ask_and_wait(admin, askers.back());
  }
  open(admin);
  require_answered(holder);
  int answered = 0;
  for (const Asker& asker : askers) {
    const Result result = asker.session->finish();
    if (!result.ok()) require_equal(result.state(), "DP001", result.message());
    answered += result.ok();
    require_entries(admin, asker, result.ok() ? 1 : 0);
  }
  require_equal(std::to_string(answered), "5", "answers at 0.1 for what is left of 0.6");
  require_equal(admin.value("SELECT epsilon_left = 0 FROM dp.budgets WHERE relation = 't'::regclass AND role IS NULL"),
                "t", "nothing is left");
  check_books(admin, "the last epsilon");
  new_table(admin, "t", "1000");
}

// What was charged remains so, and is not answered.
void stopped_while_it_waits(Session& admin) {
  const Asker holder = hold(admin, "stopped holder");
  const Asker cancelled = new_asker("cancelled"), ended = new_asker("ended"), other = new_asker("other");
  for (const Asker* asker : {&cancelled, &ended, &other}) ask_and_wait(admin, *asker);
  admin.run("SELECT pg_cancel_backend(" + std::to_string(cancelled.session->pid()) + ")");
  admin.run("SELECT pg_terminate_backend(" + std::to_string(ended.session->pid()) + ")");
  open(admin);
  require_answered(holder);
  require_refused(cancelled, "57014");
  require_refused(ended, "57P01");
  require_answered(other);
  for (const Asker* asker : {&cancelled, &ended, &other}) require_entries(admin, *asker, 1);
  require_cancellable(admin, *cancelled.session);
  check_books(admin, "some are stopped");
}

// Before it has charged anybody: all do it by themselves.
void holder_fails(Session& admin) {
  const Asker holder = hold(admin, "failing holder", "failing holder;");
  std::vector<Asker> askers;
  for (int i = 0; i < 6; ++i) {
    askers.push_back(new_asker("failed " + std::to_string(i), i));
    ask_and_wait(admin, askers.back());
  }
  open(admin);
  require_refused(holder, "P0001");
  for (const Asker& asker : askers) {
    require_answered(asker);
    require_entries(admin, asker, 1);
  }
  check_books(admin, "the holder fails");
}

// At the charge of another one, which begins anew by itself when it comes to it; meanwhile others go on, though they
// would fail at that one, too.
void holder_fails_at_another(Session& admin) {
  const Asker holder = hold(admin, "stumbling holder", "poison;");
  const Asker before = new_asker("before"), poison = new_asker("poison"), after = new_asker("after");
  after.session->run("SET together.fails = 'poison;'");
  for (const Asker* asker : {&before, &poison, &after}) ask_and_wait(admin, *asker);
  const Stopped stopped(poison);
  open(admin);
  require_refused(holder, "P0001");
  require_answered(before);
  require_answered(after);
  stopped.go_on();
  require_answered(poison);
  require_entries(admin, before, 1);
  require_entries(admin, after, 1);
  require_entries(admin, poison, 2);  // its row was there before the error
  check_books(admin, "the holder fails at another one");
}

// However its session runs the question: the entry is its own, and stays.
void in_transactions(Session& admin) {
  const std::string me = role_of(1);
  admin.run(
      "CREATE OR REPLACE FUNCTION ask(mark text, epsilon float8 = 0.1, from_table text = 't') RETURNS text"
      " LANGUAGE plpgsql AS $$ DECLARE n bigint; BEGIN"
      " EXECUTE format('SELECT /*%s*/ dp_count(''*'', %s) FROM %I', mark, epsilon, from_table) INTO n;"
      " RETURN 'answered'; EXCEPTION WHEN SQLSTATE 'DP001' THEN RETURN SQLERRM; END $$");
  admin.run("GRANT " + me + " TO " + role_of(0));
  const struct {
    std::string mark, before, sent, after;
    int entries = 1;
  } ways[] = {
      {"read only", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1",
       "SELECT /*#*/ dp_count('*', 0.1) FROM t", "COMMIT"},
      {"savepoint", "BEGIN; SAVEPOINT s", "SELECT /*#*/ dp_count('*', 0.1) FROM t", "ROLLBACK TO s; COMMIT"},
      {"rolled back", "BEGIN; SELECT pg_current_xact_id()", "SELECT /*#*/ dp_count('*', 0.1) FROM t", "ROLLBACK"},
      {"prepared", "BEGIN; SELECT pg_current_xact_id()", "SELECT /*#*/ dp_count('*', 0.1) FROM t",
       "PREPARE TRANSACTION 'together'"},
      {"under a handler", "SELECT 1", "SELECT ask('#')", "SELECT 1"},
      {"in a loop", "SELECT 1", "DO $$ BEGIN FOR i IN 1..5 LOOP PERFORM ask('#'); END LOOP; END $$", "SELECT 1", 5},
      {"by a cursor", "BEGIN; DECLARE c CURSOR FOR SELECT /*#*/ dp_count('*', 0.1) FROM t", "FETCH c", "ROLLBACK"},
      {"prepared statement", "PREPARE p AS SELECT /*#*/ dp_count('*', 0.1) FROM t", "EXECUTE p", "DEALLOCATE p"},
      {"as another role", "SET ROLE " + me, "SELECT /*#*/ dp_count('*', 0.1) FROM t", "RESET ROLE"},
      {"with a time limit", "SET statement_timeout = '60s'; SET lock_timeout = '60s'",
       "SELECT /*#*/ dp_count('*', 0.1) FROM t", "RESET ALL"}};
  const auto marked = [](std::string text, const std::string& mark) {
    for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#')) text.replace(at, 1, mark);
    return text;
  };
  const Asker holder = hold(admin, "holder of transactions");
  std::vector<Asker> askers;
  for (const auto& way : ways) {
    askers.push_back(new_asker(way.mark));
    Asker& asker = askers.back();
    asker.session->run(marked(way.before, asker.mark));
    if (way.before.starts_with("SET ROLE")) asker.role = me;
    asker.session->send(marked(way.sent, asker.mark));
    wait_for_the_ledger(admin, asker);
  }
  open(admin);
  require_answered(holder);
  for (std::size_t i = 0; i < askers.size(); ++i) {
    require_answered(askers[i]);
    askers[i].session->run(ways[i].after);
    require_entries(admin, askers[i], ways[i].entries);
    require_cancellable(admin, *askers[i].session);
  }
  admin.run("ROLLBACK PREPARED 'together'");
  check_books(admin, "transactions of all kinds");
}

// What does not fit is said to who asked it, in the words that it would hear by itself, and to nobody else.
void refused_in_its_own_words(Session& admin) {
  new_table(admin, "t", "1000");
  for (int i = 1; i < 4; ++i) {
    admin.run("SELECT dp.grant_budget('t', '" + role_of(i) + "', 0.25, allow_leaks => true)");
    const Asker spender = new_asker("spender", i);
    ask(spender);
    require_answered(spender);
  }
  const Asker holder = hold(admin, "holder of the refused");
  const Asker fits = new_asker("fits");
  std::vector<Asker> first, second;
  ask_and_wait(admin, fits);
  for (int i = 1; i < 4; ++i) {
    for (std::vector<Asker>* askers : {&first, &second}) {
      askers->push_back(new_asker("refused " + std::to_string(i), i));
      ask_and_wait(admin, askers->back());
    }
  }
  const Asker caught = new_asker("caught", 3);
  caught.session->send("SELECT ask('" + caught.mark + "', 0.2), ask('" + caught.mark + "', 0.1, 'u')");
  wait_for_the_ledger(admin, caught);
  open(admin);
  require_answered(holder);
  require_answered(fits);
  const Result told = caught.session->finish();
  require(told.ok() && told.value(0, 0).find(role_of(3)) != std::string::npos, "caught: " + told.message());
  require_equal(told.value(0, 1), "answered", "a charge after one that was refused");
  for (int i = 1; i < 4; ++i) {
    const auto at = static_cast<std::size_t>(i - 1);
    Result one = first[at].session->finish(), other = second[at].session->finish();
    require(one.ok() != other.ok(), "one of two fits");
    const Result refusal = one.ok() ? std::move(other) : std::move(one);
    require_equal(refusal.state(), "DP001", refusal.message());
    const Asker alone = new_asker("alone", i);
    ask(alone);
    require_equal(refusal.message(), alone.session->finish().message(), "what role " + role_of(i) + " is told");
  }
  require_entries(admin, fits, 1);
  check_books(admin, "some are refused");
  new_table(admin, "t", "1000");
}

// The session with the lock is stopped while others wait for it. It charges them all the same.
void holder_is_stopped(Session& admin) {
  for (const std::string function : {"pg_cancel_backend", "pg_terminate_backend"}) {
    const Asker holder = hold(admin, "holder and " + function);
    std::vector<Asker> askers;
    for (int i = 0; i < 6; ++i) {
      askers.push_back(new_asker(function + " " + std::to_string(i), i));
      ask_and_wait(admin, askers.back());
    }
    admin.run("SELECT " + function + "(" + std::to_string(holder.session->pid()) + ")");
    open(admin);
    require_refused(holder, function == "pg_cancel_backend" ? "57014" : "57P01");
    require_entries(admin, holder, 1);
    for (const Asker& asker : askers) {
      require_answered(asker);
      require_entries(admin, asker, 1);
    }
    require_equal(
        admin.value("SELECT count(DISTINCT xmin::text) FROM dp.ledger_entry WHERE query LIKE '%" + function + "%'"),
        "1", "sessions that have written entries");
    check_books(admin, function);
  }
}

// The ledger's file can grow no more for the session with the lock, which has charged itself and some others then.
void holder_has_no_disk(Session& admin) {
  // Longer than a segment of the write-ahead log: a session that cannot write that one ends the server.
  admin.run(
      "INSERT INTO dp.ledger_entry SELECT (SELECT max(seq) FROM dp.ledger_entry) + i, now(), 'postgres', NULL,"
      " 't'::regclass, 'query', 0, 0, 0, 0, NULL, repeat(chr(97 + i % 26), 1500) FROM generate_series(1, 12000) i");
  admin.run("SELECT dp.confirm_ledger()");
  const std::string pad(1400, 'x');
  const auto question = [&](const Asker& asker) {
    return "SELECT /*" + asker.mark + pad + "*/ dp_count('*', 0.1) FROM t";
  };
  const Asker limited = new_asker("limited");
  // Until sixteen pages were added.
  const auto size = [&] { return std::stol(admin.value("SELECT pg_relation_size('dp.ledger_entry')")); };
  const Asker before = new_asker("before the limit");
  for (long was = size(), is = was; is - was < 100'000; is = size()) {
    was = is;
    before.session->run(question(before));
  }
  limited.session->run(question(limited));
  Server::run_as_server("prlimit --pid " + std::to_string(limited.session->pid()) +
                        " --fsize=" + std::to_string(size()) + ":");
  // It cannot add more where half of them are left, and tries again with each page that it begins.
  int alone = 1;
  for (int failed = 0; failed < 3; ++failed) {
    while (limited.session->attempt(question(limited)).ok()) require(++alone < 100, "the ledger grows without end");
  }
  admin.run("SELECT pg_advisory_lock(14)");
  limited.session->run("SET together.gate = on");
  limited.session->send(question(limited));
  wait_for_lock(admin, limited.session->pid(), "advisory");
  std::vector<Asker> askers;
  for (int i = 0; i < kPlaces; ++i) {
    askers.push_back(new_asker("no disk " + std::to_string(i), i));
    askers.back().session->send(question(askers.back()));
    wait_for_the_ledger(admin, askers.back());
  }
  open(admin);
  const Result told = limited.session->finish();
  require(!told.ok() && told.message().find("could not extend file") != std::string::npos, told.message());
  for (const Asker& asker : askers) {
    require_answered(asker);
    require_entries(admin, asker, 1);
  }
  require_entries(admin, limited, alone + 1);
  require_cancellable(admin, *limited.session);
  check_books(admin, "no disk");
}

// Each database has a lock of its own.
void another_database(Session& admin) {
  admin.run("CREATE DATABASE together_beside");
  {
    Session beside("dbname=together_beside");
    beside.run("CREATE EXTENSION pg_dp");
    new_table(beside, "t", "1000");
    const Asker holder = hold(admin, "holder beside");
    const Asker waits = new_asker("waits");
    ask_and_wait(admin, waits);
    Session asker("user=" + role_of(0) + " dbname=together_beside");
    asker.run("SELECT dp_count('*', 0.1) FROM t");
    open(admin);
    require_answered(holder);
    require_answered(waits);
    require_balanced(beside, "another database");
    check_books(admin, "another database");
  }
  admin.run("DROP DATABASE together_beside");
}

// Nobody else makes their entries durable: the session that wrote them has failed, the one that waits stands still, and
// the writer of the log sleeps.
void durable_when_answered(Session& admin, const Server& server) {
  admin.run("ALTER SYSTEM SET wal_writer_delay = '10s'");
  admin.run("SELECT pg_reload_conf()");
  const Asker holder = hold(admin, "forgetful holder", "poison;");
  const Asker first = new_asker("durable 1"), second = new_asker("durable 2", 1), poison = new_asker("poison");
  for (const Asker* asker : {&first, &second, &poison}) ask_and_wait(admin, *asker);
  const Stopped stopped(poison);
  while (std::stoi(admin.value("SELECT (pg_current_wal_insert_lsn() - '0/0') % 8192")) > 2000)
    admin.run("SELECT pg_logical_emit_message(false, 'together', repeat('x', 500))");  // a full page would be written
  open(admin);
  require_answered(first);
  require_answered(second);
  server.kill_all();
  stopped.go_on();
  server.start();
  Session again;
  require_entries(again, first, 1);
  require_entries(again, second, 1);
  again.run("ALTER SYSTEM RESET wal_writer_delay");
  again.run("SELECT pg_reload_conf()");
  check_books(again, "a crash");
}

// The whole server begins anew. Nobody has an answer, and all places are free again.
void holder_is_killed(const Server& server) {
  Session admin;
  const Asker holder = hold(admin, "killed holder");
  std::vector<Asker> askers;
  for (int i = 0; i < kPlaces; ++i) {
    askers.push_back(new_asker("killed " + std::to_string(i), i));
    ask_and_wait(admin, askers.back());
  }
  kill(holder.session->pid(), SIGKILL);
  for (const Asker& asker : askers) require(!asker.session->finish().ok(), asker.mark + " was answered");
  server.wait_until_it_answers();
  Session again;
  for (const Asker& asker : askers) require_entries(again, asker, 0);
  crowd(again, "second crowd");
}

}  // namespace

int main() {
  const Server server;
  {
    Session admin;
    require(admin.connected(), PQerrorMessage(admin.libpq()));
    prepare(admin);
    another_database(admin);  // whose end is a checkpoint, after which entries take more of the log
    crowd(admin, "crowd");
    last_epsilon(admin);
    stopped_while_it_waits(admin);
    holder_fails(admin);
    holder_fails_at_another(admin);
    holder_is_stopped(admin);
    in_transactions(admin);
    refused_in_its_own_words(admin);
    durable_when_answered(admin, server);
  }
  holder_is_killed(server);
  Session admin;
  holder_has_no_disk(admin);
}
