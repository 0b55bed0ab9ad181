// Design section 1, threats B to G: random private queries of a fenced role over a table and its neighbour, which has one row less.
// At so large an epsilon that the noise vanishes, all that the role sees must be the same, but for answers, which differ by no
// more than one row can change: errors to the last word, notices and log messages, plans, charges, columns, the number of rows,
// their order and their keys. What differs is shown with its seed, after parts of the query were left out as far as it still
// differs.
//
// Arguments: seconds to run (20), seed (1; give others for longer runs), number of queries (none: until the time is over).
#include <algorithm>
#include <cmath>

#include "support/fuzz_query.h"
#include "support/session.h"

using namespace dp::test;

namespace {

// ---- the table, its neighbour, and the words of the queries ----------------------------------------------------------------

constexpr const char* kTable = R"(
CREATE TABLE t (id int NOT NULL, i int, s int2, b int8, n numeric, m numeric(10, 2), f float8, r float4, t text, u text COLLATE "C", v varchar(8),
  c bpchar, d date, ts timestamp, tz timestamptz, iv interval, tm time, e fuzz_mood NOT NULL, flag bool, k text COLLATE "POSIX",
  ref int REFERENCES public.fuzz_wards, arr int[], texts text[], doc jsonb, by bytea, uu uuid))";

// Each column goes through its values at a pace of its own.
constexpr const char* kRows = R"(
INSERT INTO one.t SELECT x,
  (ARRAY[0, 1, -1, 2147483647, -2147483648, NULL, 7, 42, 100, 3])[1 + x % 10],
  (ARRAY[0, 1, -1, 32767, -32768, NULL, 5]::int2[])[1 + x % 7],
  (ARRAY[0, 1, -1, 9223372036854775807, -9223372036854775808, NULL, 12345678901]::int8[])[1 + x / 2 % 7],
  (ARRAY['0', '1.00', '1.0', '-1', 'NaN', 'Infinity', '-Infinity', '1e400', '1e-400', NULL, '0.5', '42']::numeric[])[1 + x % 12],
  (ARRAY['0', '1.5', '-99999999.99', '99999999.99', NULL]::numeric[])[1 + x % 5],
  (ARRAY['0', '-0', '1', 'NaN', 'Infinity', '-Infinity', '1e308', '-1e308', '5e-324', NULL, '0.1', '42']::float8[])[1 + x % 12],
  (ARRAY['0', '-0', '1', 'NaN', 'Infinity', '3e38', '1e-45', NULL]::float4[])[1 + x % 8],
  (ARRAY['', 'a', 'A', 'b', 'a ', '1', '1e400', 'NaN', '2024-02-30', '2024-02-29', E'x\\', '%', 'é', '😀', NULL, repeat('long', 300),
         ' 12 ', 'infinity', '{"k": 1}'])[1 + x % 19],
  (ARRAY['a', 'b', '', NULL])[1 + x % 4], (ARRAY['a', 'b', '12345678', NULL, ''])[1 + x % 5],
  (ARRAY['a', 'a ', 'a  ', 'b', '', NULL]::bpchar[])[1 + x % 6],
  (ARRAY['2024-02-29', 'infinity', '-infinity', '4714-11-24 BC', '5874897-12-31', NULL, '1970-01-01']::date[])[1 + x % 7],
  (ARRAY['2024-02-29 23:59:59.999999', 'infinity', '-infinity', '4714-11-24 00:00:00 BC', '294276-12-31 23:59:59', NULL]::timestamp[])[1 + x % 6],
  (ARRAY['2024-02-29 23:59:59+00', 'infinity', '-infinity', '4714-11-24 00:00:00+00 BC', '294276-12-31 23:59:59+00', NULL]::timestamptz[])[1 + x / 2 % 6],
  (ARRAY['1 day', '24 hours', '-178000000 years', '178000000 years', '0', NULL, '1 mon', '30 days']::interval[])[1 + x % 8],
  (ARRAY['00:00', '24:00', '12:34:56.789', NULL]::time[])[1 + x % 4],
  (ARRAY['sad', 'happy']::fuzz_mood[])[1 + x % 2], (ARRAY[true, false, NULL])[1 + x % 3], (ARRAY['a', 'b', 'z', NULL])[1 + x / 3 % 4],
  (ARRAY[1, 2, NULL])[1 + x % 3],
  CASE x % 5 WHEN 0 THEN NULL WHEN 1 THEN '{}' WHEN 2 THEN '{1,NULL,3}' WHEN 3 THEN '{{1,2},{3,4}}' ELSE '[5:6]={7,8}' END::int[],
  CASE x % 4 WHEN 0 THEN NULL WHEN 1 THEN '{}' WHEN 2 THEN '{a,NULL}' ELSE '{a,b}' END::text[],
  (ARRAY['null', '1', '"a"', '{"k": 1, "a": [1, 2]}', '{"k": "x"}', '[]', '[1, "a", null]', '1e300', NULL]::jsonb[])[1 + x % 9],
  (ARRAY['', '\x00ff', '\x61', NULL]::bytea[])[1 + x % 4], ('00000000-0000-0000-0000-00000000000' || x % 3)::uuid
FROM generate_series(0, 47) x)";

constexpr const char* kConstants[][2] = {
    {"integer", "0,1,-1,2147483647,-2147483648,3,42"},
    {"smallint", "0,1,-1,32767,-32768"},
    {"bigint", "0,1,-1,9223372036854775807,-9223372036854775808"},
    {"numeric", "0,1,-1,NaN,Infinity,-Infinity,1e400,1e-400,0.5,1.00"},
    {"double precision", "0,-0,1,NaN,Infinity,-Infinity,1e308,5e-324,0.5,-1"},
    {"real", "0,1,NaN,Infinity,3e38"},
    {"text", ",a,A,%,a%,_,\\,x\\,month,day,hour,year,epoch,century,bogus,1,é,k,2024-01-31,UTC"},
    {"character varying", "a,"},
    {"character", "a,a ,b,"},
    {"boolean", "t,f"},
    {"date", "2024-02-29,infinity,-infinity,4714-11-24 BC,5874897-12-31,1970-01-01"},
    {"timestamp without time zone", "2024-02-29 12:00,infinity,-infinity,4714-11-24 00:00:00 BC,294276-12-31 23:59:59"},
    {"timestamp with time zone", "2024-02-29 12:00+00,infinity,-infinity,4714-11-24 00:00:00+00 BC,294276-12-31 23:59:59+00"},
    {"interval", "1 day,0,178000000 years,-178000000 years,1 mon"},
    {"time without time zone", "00:00,24:00,12:34:56"},
    {"jsonb", "1,null,[]"},
    {"uuid", "00000000-0000-0000-0000-000000000001"},
    {"bytea", ",\\x00,\\x61"},
    {"integer[]", "{},{1},{NULL}"},
    {"text[]", "{},{a},{k}"},
};

// Operators and casts that fail on some rows: refused, or replaced by total ones, all the same.
const std::multimap<std::string, Function> kFailing = {
    {"integer", {"(", " + ", ")", {"integer", "integer"}}},     {"integer", {"(", " / ", ")", {"integer", "integer"}}},
    {"integer", {"(", "", ")::int", {"text"}}},                 {"integer", {"(", "", ")::int", {"double precision"}}},
    {"numeric", {"(", " / ", ")", {"numeric", "numeric"}}},     {"numeric", {"power(", ", ", ")", {"numeric", "integer"}}},
    {"double precision", {"(", " * ", ")", {"double precision", "double precision"}}},
    {"double precision", {"sqrt(", "", ")", {"double precision"}}},
    {"text", {"(", " || ", ")", {"text", "text"}}},             {"text", {"repeat(", ", ", ")", {"text", "smallint"}}},
    {"boolean", {"(", " ~ ", ")", {"text", "text"}}},           {"boolean", {"(", "", ")::bool", {"text"}}},
    {"boolean", {"((", "", ")[1] = 1)", {"integer[]"}}},        {"boolean", {"(ARRAY[", ", ", "] IS NULL)", {"integer[]", "integer[]"}}},
    {"date", {"(", " + ", ")", {"date", "integer"}}},           {"date", {"(", "", ")::date", {"text"}}},
    {"timestamp without time zone", {"date_trunc(", ", ", ")", {"text", "timestamp without time zone"}}},
    {"integer", {"fuzz_noisy(", "", ")", {"integer"}}},         {"text", {"(", "", ")::fuzz_word", {"text"}}},
};

Vocabulary vocabulary(Session& admin) {
  Vocabulary words;
  for (const auto& [type, list] : kConstants) {
    std::vector<std::string>& constants = words.constants[type];
    for (std::size_t begin = 0, end; begin != std::string::npos; begin = end == std::string::npos ? end : end + 1) {
      end = std::string(list).find(',', begin);
      constants.push_back(std::string(list).substr(begin, end == std::string::npos ? end : end - begin));
    }
  }
  const Result columns = admin.run("SELECT format_type(atttypid, NULL), attname FROM pg_attribute WHERE attrelid = 'one.t'::regclass AND attnum > 0");
  for (int i = 0; i < columns.rows(); ++i) words.columns[columns.value(i, 0)].push_back(columns.value(i, 1));
  const Result functions = admin.run(R"(
    SELECT format_type(prorettype, NULL), quote_ident(nspname) || '.' || quote_ident(proname), array_to_string(ARRAY(
      SELECT CASE format_type(a, NULL) WHEN 'anyarray' THEN 'integer[]' WHEN 'anycompatiblearray' THEN 'integer[]' WHEN 'anyelement' THEN 'integer'
        WHEN 'anycompatible' THEN 'integer' WHEN 'anyenum' THEN 'fuzz_mood' ELSE format_type(a, NULL) END
      FROM unnest(proargtypes) WITH ORDINALITY AS x (a, place) ORDER BY place), ',')
    FROM dp.total_functions() f JOIN pg_proc p ON p.oid = f.function JOIN pg_namespace s ON s.oid = pronamespace
    WHERE NOT provariadic > 0 ORDER BY p.oid)");
  for (int i = 0; i < functions.rows(); ++i) {
    Function function{functions.value(i, 1) + "(", ", ", ")", {}};
    bool known = true;
    std::string types = functions.value(i, 2) + ",";
    for (std::size_t end; (end = types.find(',')) != std::string::npos; types.erase(0, end + 1)) {
      function.arguments.push_back(types.substr(0, end));
      known = known && (words.columns.contains(function.arguments.back()) || words.constants.contains(function.arguments.back()));
    }
    if (known) words.functions[functions.value(i, 0)].push_back(function);
  }
  for (const auto& [type, function] : kFailing) words.failing[type].push_back(function);
  return words;
}

void set_up(Session& admin) {
  admin.run("CREATE TYPE fuzz_mood AS ENUM ('sad', 'ok', 'happy'); CREATE TABLE fuzz_wards (id int PRIMARY KEY); INSERT INTO fuzz_wards VALUES (1), (2), (3)");
  admin.run("CREATE FUNCTION fuzz_noisy(x anyelement) RETURNS anyelement LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RAISE NOTICE ''saw %'', x; RETURN x; END'");
  admin.run("CREATE DOMAIN fuzz_word AS text CHECK (fuzz_noisy(VALUE) IS NOT NULL)");
  make_role(admin, "fuzz_asker");
  for (const std::string schema : {"one", "two"}) {
    admin.run("CREATE SCHEMA " + schema + "; SET search_path = " + schema + ", public; GRANT USAGE ON SCHEMA " + schema + " TO fuzz_asker");
    admin.run(kTable);
    admin.run("SELECT dp.protect('t', 9e9, 0.9, group_epsilon => 1e5, group_delta => 1e-9), dp.grant_budget('t', 'fuzz_asker', 9e9, 0.9, allow_leaks => true)");
    admin.run("SELECT dp.public_values('t', 'k', 'a', 'b'), dp.public_values('t', 'i % 3', 0, 1, 2)");
    admin.run("CREATE VIEW v WITH (security_invoker) AS SELECT * FROM t WHERE coalesce(s, 0) < 1000; GRANT SELECT ON v TO fuzz_asker");
  }
  admin.run("SET search_path = public");
  admin.run(kRows);
}

// The neighbour of the table: a row less, at another place.
void make_neighbour(Session& admin, int without) {
  admin.run("TRUNCATE two.t; INSERT INTO two.t SELECT * FROM one.t WHERE id <> " + std::to_string(without) + "; ANALYZE one.t, two.t");
}

// ---- what a role sees of a query --------------------------------------------------------------------------------------------

struct Seen {
  std::string words;  // all that must be the same
  bool ok = false;
  std::vector<std::vector<std::string>> rows;
};

class Asker {
 public:
  explicit Asker(const std::string& schema) : session_("user=fuzz_asker") {
    require(session_.connected(), PQerrorMessage(session_.libpq()));
    session_.run("SET search_path = " + schema + ", public");
    // That PostgreSQL enlarges one of its own caches depends on what the session did before, not on rows.
    PQsetNoticeReceiver(
        session_.libpq(),
        [](void* to, const PGresult* notice) {
          const std::string message = PQresultErrorMessage(notice);
          if (message.find("rehashing catalog cache") == std::string::npos) *static_cast<std::string*>(to) += message;
        },
        &notices_);
  }

  void run(const std::string& sql) { session_.run(sql); }

  // Whether the last question had an answer.
  bool answered() const { return answered_; }

  Seen ask(const std::string& sql) {
    Seen seen;
    const std::string before = spent();
    note(seen, "EXPLAIN (VERBOSE, COSTS, FORMAT TEXT) " + sql, true);
    const Result result = note(seen, sql, false);
    seen.ok = answered_ = result.ok();
    for (int row = 0; row < result.rows(); ++row) {
      auto& values = seen.rows.emplace_back();
      for (int column = 0; column < PQnfields(raw(result)); ++column) {
        values.push_back(PQgetisnull(raw(result), row, column) ? "NULL" : "'" + result.value(row, column));
      }
    }
    seen.words += "charged: from " + before + " to " + spent() + "\n";
    return seen;
  }

 private:
  static const PGresult* raw(const Result& result) { return result.libpq(); }

  std::string spent() {
    return session_.value("SELECT (epsilon_spent, delta_spent)::text FROM dp.budgets WHERE role IS NOT NULL AND relation = 't'::regclass");
  }

  Result note(Seen& seen, const std::string& sql, bool values) {
    notices_.clear();
    Result result = session_.attempt(sql);
    seen.words += notices_;
    if (!result.ok()) {
      for (const int field : {PG_DIAG_SEVERITY, PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY, PG_DIAG_MESSAGE_DETAIL, PG_DIAG_MESSAGE_HINT, PG_DIAG_STATEMENT_POSITION,
                              PG_DIAG_INTERNAL_POSITION, PG_DIAG_INTERNAL_QUERY, PG_DIAG_CONTEXT, PG_DIAG_SOURCE_FILE, PG_DIAG_SOURCE_LINE}) {
        const char* const text = PQresultErrorField(raw(result), field);
        if (text != nullptr) seen.words += std::string(text) + "\n";
      }
      if (PQstatus(session_.libpq()) != CONNECTION_OK) fail("the server crashed on " + sql);
    }
    for (int column = 0; column < PQnfields(raw(result)); ++column) {
      seen.words += std::string(PQfname(raw(result), column)) + " " + std::to_string(PQftype(raw(result), column)) + " " +
                    std::to_string(PQfmod(raw(result), column)) + "\n";
    }
    for (int row = 0; values && row < result.rows(); ++row) seen.words += result.value(row) + "\n";
    return result;
  }

  Session session_;
  std::string notices_;
  bool answered_ = false;
};

// ---- comparison ----------------------------------------------------------------------------------------------------------------

std::vector<double> numbers(const std::string& value) {
  std::vector<double> found;
  for (const char* place = value.c_str(); *place != '\0';) {
    char* end;
    const double number = std::strtod(place, &end);
    if (end == place) {
      ++place;
    } else {
      found.push_back(number);
      place = end;
    }
  }
  return found;
}

double distance(const std::string& one, const std::string& other) {
  const std::vector<double> a = numbers(one), b = numbers(other);
  if (a.size() != b.size()) return INFINITY;
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::fabs(a[i] - b[i]);
  return sum;
}

std::string shown(const Seen& seen) {
  std::string text = seen.words;
  for (const auto& row : seen.rows) text += join(row, " | ") + "\n";
  return text;
}

// Groups that are chosen privately: at this epsilon those of two rows and more, so that some of one table are not among the other's.
// What is there in both stands in the same order and looks the same.
bool is_thinned(const Seen& all, const Seen& part, std::size_t keys) {
  constexpr std::size_t kMostSets = 16;  // a CUBE of three keys, twice
  std::size_t place = 0;
  for (const auto& row : part.rows) {
    const auto same = [&] { return std::equal(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(keys), all.rows[place].begin()); };
    while (place < all.rows.size() && !same()) ++place;
    if (place++ == all.rows.size()) return false;
  }
  return all.rows.size() <= part.rows.size() + kMostSets;
}

std::string difference(const Query& query, Asker& one, Asker& two) {
  const std::string sql = text_of(query);
  const Seen a = one.ask(sql), b = two.ask(sql);
  const std::string both = "--- with the row:\n" + shown(a) + "--- without it:\n" + shown(b);
  if (a.words != b.words) return "messages, plans, charges or columns differ\n" + both;
  if (!a.ok || query.wrapping >= kFirstFree) return "";
  if (query.level.chosen) return is_thinned(a, b, query.level.keys.size()) ? "" : "chosen groups differ\n" + both;
  if (a.rows.size() != b.rows.size()) return "numbers of rows differ\n" + both;
  const std::vector<Column> columns = columns_of(query);
  for (std::size_t row = 0; row < a.rows.size(); ++row) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string &x = a.rows[row][i], &y = b.rows[row][i];
      if (columns[i].kind == Column::Kind::key && x != y) return "keys differ: " + x + ", " + y + "\n" + both;
      if ((x == "NULL") != (y == "NULL")) return "an answer is NULL\n" + both;
      if (columns[i].kind == Column::Kind::within && !(distance(x, y) <= columns[i].bound)) return "answers differ: " + x + ", " + y + "\n" + both;
    }
  }
  return "";
}

void report(Query query, const std::string& first, unsigned seed, int number, Asker& one, Asker& two) {
  std::string what = first;
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (const Query& candidate : simpler(query)) {
      const std::string still = difference(candidate, one, two);
      if (still.empty()) continue;
      query = candidate;
      what = still;
      smaller = true;
      break;
    }
  }
  fail("seed " + std::to_string(seed) + ", query " + std::to_string(number) + ":\n" + text_of(query) + "\n" + what);
}

// What a session can set, so that cores are planned and run in every way.
const std::vector<std::string> kSettings = {
    "enable_hashagg = off", "enable_sort = off", "work_mem = '64kB'", "enable_seqscan = off", "force_parallel_mode = on", "jit_above_cost = 0",
    "parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0", "timezone = 'Pacific/Kiritimati'",
    "timezone = 'America/Adak'", "datestyle = 'SQL, DMY'", "intervalstyle = 'sql_standard'", "extra_float_digits = 0", "bytea_output = escape",
    "client_min_messages = debug1", "trace_sort = on", "dp.keep_releases = 3", "enable_partitionwise_aggregate = on"};

}  // namespace

int main(int count, char** arguments) {
  const double seconds = count > 1 ? std::strtod(arguments[1], nullptr) : 20;
  const unsigned seed = count > 2 ? static_cast<unsigned>(std::strtoul(arguments[2], nullptr, 10)) : 1;
  const int most = count > 3 ? std::atoi(arguments[3]) : 0;
  std::printf("seed %u\n", seed);
  Session admin;
  set_up(admin);
  const Vocabulary words = vocabulary(admin);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  int asked = 0, answered = 0, batches = 0;
  while (std::chrono::steady_clock::now() < end && (most == 0 || asked < most)) {
    Generator generator(words, seed * 10'000 + static_cast<unsigned>(batches++), 48);
    make_neighbour(admin, generator.missing());
    Asker one("one"), two("two");
    for (int i = generator.below(4); i > 0; --i) {
      const std::string setting = generator.one_of(kSettings);
      one.run("SET " + setting);
      two.run("SET " + setting);
    }
    for (int i = 0; i < 40 && std::chrono::steady_clock::now() < end; ++i) {
      const Query query = generator.query();
      const std::string what = difference(query, one, two);
      if (!what.empty()) report(query, what, seed, asked, one, two);
      answered += what.empty() && one.answered();
      ++asked;
    }
  }
  std::printf("%d random queries, %d of them answered: nothing differs\n", asked, answered);
  require(answered * 4 > asked, "too few queries are admitted");
}
