// What stands in FROM and WHERE of questions about the tables of test/support/fuzz_paths.h: joins along the path and on
// the unit, with public tables and LATERAL beside; semi-joins along a step of the path.
#pragma once

#include "support/fuzz_semi_joins.h"

namespace dp::test {

struct PathSource {
  std::vector<std::string> ctes;
  std::string from;
  std::vector<std::string> conditions;  // joins that are written in WHERE
  std::string aliases;                  // of what is there
  std::string unit;                     // what names the person; empty: no column does
  std::string whose;                    // the same in PostgreSQL's own query
  bool commas = false;                  // tables stand beside each other, so that ON sees the last one alone
  bool outer = false, full = false;
  bool unlimited = false;  // it is one row of each person
  std::vector<std::string> keys;
  std::vector<std::pair<std::string, int>> numbers;
};

class PathJoins {
 public:
  PathJoins(const PathWorld& world, Dice& dice) : world_(world), dice_(dice) {}

  std::string condition(char alias) { return condition_on(dice_, alias, std::string(1, alias)); }

  PathSource source() {
    PathSource source;
    switch (dice_.below(16)) {
      case 0:
      case 1:
        add(source, dice_.word({"l", "o", "c", "c", "k"})[0]);
        source.unlimited = source.aliases == "c" && !world_.accounts;
        break;
      case 2:
        inner(source, {"l", "o"});
        break;
      case 3:
        inner(source, {"o", "c"});
        break;
      case 4:
      case 5:
      case 6:
        inner(source, {"l", "o", "c"});
        break;
      case 7:
        inner(source, {"c", "k"});
        break;
      case 8:
        inner(source, {"l", "m"});
        break;
      case 9:
        // Orders of accounts do not name the person: refused.
        inner(source, {"o", world_.accounts && !dice_.once_in(9) ? "l" : "k"});
        break;
      case 10:
        kept(source);
        return finished(source);
      case 11:
      case 12:
        outer(source, dice_.word(world_.accounts && !dice_.once_in(9)
                                     ? std::vector<std::string>{"co", "ck", "ol", "lo"}
                                     : std::vector<std::string>{"co", "col", "ol", "loc", "ck", "lo"}));
        break;
      default:
        full(source);
        break;
    }
    if (!source.full || dice_.once_in(2)) beside(source);
    return finished(source);
  }

  // Conditions on the tables of the source, and what they ask other rows of the same person.
  std::string some_condition(const PathSource& source) {
    if (source.aliases.size() > 1 && dice_.once_in(5)) return of_two(source);
    const char alias = dice_.one_of(std::vector<char>(source.aliases.begin(), source.aliases.end()));
    if (alias == 'z') return condition(source.aliases[0]);
    // Of rows that may be missing most of them are refused.
    const bool asks = dice_.once_in(source.outer && alias != source.aliases[0] ? 8 : 2);
    if (std::string("colk").find(alias) != std::string::npos && asks) return semi_join(world_, dice_, alias);
    const std::string first = condition(alias);
    return dice_.once_in(4) ? "(" + first + dice_.word({" OR ", " AND "}) + condition(alias) + ")" : first;
  }

 private:
  // With what may be asked of it.
  PathSource finished(PathSource source) const {
    for (const char alias : source.aliases) {
      const PathTable& table = table_of(alias);
      const std::string name(1, alias);
      for (const std::string& key : table.keys) source.keys.push_back(with(key, "@", name));
      for (const auto& [number, most] : table.numbers) source.numbers.emplace_back(with(number, "@", name), most);
    }
    // What is kept of a left join comes first; what may be missing names nobody.
    for (const char alias : source.aliases) {
      const bool named = alias == 'c' || alias == 'k' || (alias == 'o' && !world_.accounts);
      const bool kept = !source.outer || alias == source.aliases[0] || dice_.once_in(20);
      if (named && kept && !source.full && (source.unit.empty() || dice_.once_in(2)))
        source.unit = std::string(1, alias) + "." + world_.unit();
    }
    return source;
  }

  // The table by its name, or what a subquery, CTE or view chooses of it.
  void add(PathSource& source, char alias, bool may_choose = true) {
    source.aliases += alias;
    source.whose += (source.whose.empty() ? "" : ", ") + std::string(1, alias) + ".whose";
    if (source.from.empty()) source.from = reference(source, alias, may_choose);
  }

  std::string reference(PathSource& source, char alias, bool may_choose = true) {
    const std::string a(1, alias), &name = table_of(alias).name;
    switch (may_choose ? dice_.below(13) : 12) {
      case 0:
        return "(SELECT * FROM " + name + " AS " + a + " WHERE " + condition(alias) + ") AS " + a;
      case 1:
        source.ctes.push_back("w" + a + " AS (SELECT * FROM " + name + " AS " + a + " WHERE " + condition(alias) + ")");
        return "w" + a + " AS " + a;
      case 2:
        return alias == 'o' ? "late AS o" : name + " AS " + a;
      case 3:
        return "(SELECT * FROM (SELECT * FROM " + name + ") AS " + a + ") AS " + a;
      case 4: {
        // What is computed is there also where the row is missing, or is not.
        const auto& [number, most] = table_of(alias).numbers[0];
        const std::string column = with(number, "@", a);
        source.numbers.emplace_back(a + ".w", most + 1);
        return "(SELECT *, " + (dice_.once_in(3) ? "coalesce(" + column + ", 3)" : column + " + 1") + " AS w FROM " +
               name + " AS " + a + ") AS " + a;
      }
      case 5:
        return first_of_each(alias);
      default:
        return name + " AS " + a;
    }
  }

  // The first rows of each person, which no others are like; or all of them, with what is computed of the one before.
  std::string first_of_each(char alias) {
    const std::string a(1, alias), &name = table_of(alias).name, u = alias == 'o' ? "ck" : world_.unit();
    const std::string order = alias == 'c' ? "score, ck" : alias == 'o' ? "day, ok" : "day, id";
    if (alias == 'l' || alias == 'm' || (alias == 'o' && world_.accounts)) return name + " AS " + a;
    const std::string within = " OVER (PARTITION BY " + u + " ORDER BY " + order + ") AS ";
    switch (dice_.below(3)) {
      case 0:
        return "(SELECT * FROM (SELECT *, row_number()" + within + "nth FROM " + name + ") AS " + a +
               " WHERE nth <= " + dice_.word({"1", "2"}) + ") AS " + a;
      case 1:
        return "(SELECT * FROM (SELECT *, lag(" + order.substr(0, order.find(',')) + ")" + within + "earlier FROM " +
               name + ") AS " + a + " WHERE earlier IS NULL OR earlier > 3) AS " + a;
      default:
        return "(SELECT DISTINCT ON (" + u + ") * FROM " + name + " ORDER BY " + u + ", " + order + ") AS " + a;
    }
  }

  // The columns that two tables are joined on.
  std::string common(char one, char other) const {
    const std::string both{one, other};
    if (both.find('k') != std::string::npos) return both.find('o') != std::string::npos ? "ck" : world_.unit();
    return both.find('c') != std::string::npos ? "ck" : "ok";
  }

  std::string equal(char one, char other) {
    const std::string column = "." + common(one, other), a(1, one), b(1, other);
    return dice_.once_in(2) ? a + column + " = " + b + column : b + column + " = " + a + column;
  }

  // The table of those that stand there with which this one is joined.
  static char partner(const std::string& aliases, char alias) {
    for (const char other : aliases) {
      const std::string both{alias, other};
      if (both != "lc" && both != "cl") return other;
    }
    return aliases[0];
  }

  void inner(PathSource& source, std::vector<std::string> names) {
    for (std::size_t i = names.size(); i-- > 1;)
      std::swap(names[i], names[static_cast<std::size_t>(dice_.below(static_cast<int>(i) + 1))]);
    const bool commas = source.commas = dice_.once_in(3);
    // The order is in between.
    if (!commas && names.size() == 3 && names[2] == "o") std::swap(names[1], names[2]);
    for (const std::string& name : names) {
      const char alias = name[0];
      if (source.from.empty()) {
        add(source, alias);
        continue;
      }
      const char other = partner(source.aliases, alias);
      add(source, alias);
      const std::string table = reference(source, alias);
      if (commas) {
        source.from += ", " + table;
      } else if (dice_.once_in(3)) {
        source.from += " JOIN " + table + " USING (" + common(other, alias) + ")";
      } else {
        source.from +=
            " JOIN " + table + " ON " + equal(other, alias) + (dice_.once_in(4) ? " AND " + condition(alias) : "");
      }
    }
    if (!commas) return;
    for (std::size_t i = 1; i < names.size(); ++i) {
      // l, o, c: o is joined with both.
      const bool three = names.size() == 3;
      const char one = three ? 'o' : names[0][0], other = three ? (i == 1 ? 'l' : 'c') : names[1][0];
      if (names.size() == 2 && dice_.once_in(3)) {
        source.conditions.push_back("((" + equal(one, other) + " AND " + condition(one) + ") OR (" + condition(other) +
                                    " AND " + equal(one, other) + "))");
      } else {
        source.conditions.push_back(equal(one, other));
      }
    }
  }

  void outer(PathSource& source, const std::string& chain) {
    source.outer = true;
    // The last two are joined first, within the others.
    const bool within = chain.size() == 3 && dice_.once_in(4), turned = chain.size() == 2 && dice_.once_in(4);
    for (const char alias : chain) {
      const char before = source.aliases.empty() ? ' ' : source.aliases.back();
      add(source, alias);
      if (before == ' ') continue;
      const std::string table = reference(source, alias, dice_.once_in(3));
      const std::string on = " ON " + equal(before, alias) + (dice_.once_in(2) ? " AND " + condition(alias) : "");
      if (within && alias == chain[1]) {
        source.from += " LEFT JOIN (" + table + " JOIN " + reference(source, chain[2]) + " ON " +
                       equal(alias, chain[2]) + ")" + on;
        add(source, chain[2]);
        return;
      }
      source.from = turned ? table + " RIGHT JOIN " + source.from + on : source.from + " LEFT JOIN " + table + on;
    }
  }

  // Public rows without a partner are in the answer, and nobody's.
  void kept(PathSource& source) {
    source.outer = true;
    source.from = "part AS p LEFT JOIN " + reference(source, 'l', dice_.once_in(3)) + " ON l.pk = p.pk" +
                  (dice_.once_in(2) ? " AND " + condition('l') : "");
    source.aliases = "lp";
    source.whose = "l.whose";
  }

  void full(PathSource& source) {
    const std::string two = world_.accounts ? "ck" : dice_.word({"ok", "ck", "oc"});
    const char one = two[dice_.once_in(2) ? 0 : 1], other = one == two[0] ? two[1] : two[0];
    const std::string u = world_.unit(), a(1, one), b(1, other);
    source.full = true;
    add(source, one);
    add(source, other);
    const bool turned = dice_.once_in(2);
    source.unit = "coalesce(" + (turned ? b : a) + "." + u + ", " + (turned ? a : b) + "." + u + ")";
    source.from += " FULL JOIN " + reference(source, other);
    if (dice_.once_in(3)) {
      source.from += " USING (" + u + ")";
      if (dice_.once_in(2)) source.unit = u;
    } else {
      source.from +=
          " ON " + equal(one, other) + (dice_.once_in(2) ? " AND " + condition(dice_.once_in(2) ? one : other) : "");
      if (source.aliases == "ok" && dice_.once_in(3)) source.from += " AND o.day < k.day";
    }
    if (two == "ok" && dice_.once_in(3)) {
      add(source, 'c');
      source.from += " LEFT JOIN " + reference(source, 'c', false) +
                     " ON c.ck = " + dice_.word({"o.ck", "k.ck", "coalesce(o.ck, k.ck)", "coalesce(k.ck, o.ck)"});
    }
  }

  static bool has(const PathSource& source, char alias) { return source.aliases.find(alias) != std::string::npos; }

  // Public tables, and what LATERAL computes or finds for each row.
  void beside(PathSource& source) {
    if (has(source, 'l') && dice_.once_in(3)) public_table(source, 'p', "part AS p", "p.pk = l.pk");
    if (has(source, 'c') && dice_.once_in(3)) public_table(source, 'n', "nation AS n", "n.nk = c.nk");
    if (dice_.once_in(source.aliases == "c" ? 2 : 5)) what_is_asked_of_each(source);
    if (dice_.once_in(3)) lateral(source);
  }

  // What a subquery computes of each person's calls: a row of each, or several by a further key.
  void what_is_asked_of_each(PathSource& source) {
    const char whose = has(source, 'c')                       ? 'c'
                       : has(source, 'k')                     ? 'k'
                       : has(source, 'o') && !world_.accounts ? 'o'
                                                              : ' ';
    if (whose == ' ' || source.full) return;
    const bool further = dice_.once_in(3);
    const std::string u = world_.unit(), where = dice_.once_in(2) ? " WHERE " + condition_on(dice_, 'k', "x") : "";
    const std::string table = "(SELECT x." + u + " AS u, count(*) AS n, max(x.day) AS h FROM calls AS x" + where +
                              " GROUP BY x." + u + (further ? dice_.word({", x.topic", ", x.day", ", x.day"}) : "") +
                              ") AS j";
    const std::string condition = "j.u = " + std::string(1, whose) + "." + u;
    public_table(source, 'j', table, condition);
    source.unlimited = source.unlimited && !further;
  }

  void public_table(PathSource& source, char alias, const std::string& table, const std::string& condition) {
    source.aliases += alias;
    if (source.commas) {
      source.from += ", " + table;
      source.conditions.push_back(condition);
    } else {
      source.from += dice_.word({" JOIN ", " LEFT JOIN "}) + table + " ON " + condition;
    }
  }

  void lateral(PathSource& source) {
    const BesideRow& chosen = dice_.one_of(kBesideRows);
    if (!has(source, chosen.of)) return;
    source.from += chosen.text;
    source.aliases += 'z';
    if (!chosen.key.empty()) source.keys.push_back(chosen.key);
    if (!chosen.number.empty()) source.numbers.emplace_back(chosen.number, chosen.most);
  }

  std::string of_two(const PathSource& source) {
    const OfTwo& chosen = dice_.one_of(kOfTwo);
    return has(source, chosen.one) && has(source, chosen.other) ? chosen.text : condition(source.aliases[0]);
  }

  const PathWorld& world_;
  Dice& dice_;
};

}  // namespace dp::test
