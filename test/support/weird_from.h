// FROM clauses of weird statements.
#pragma once

#include "support/weird_expressions.h"

namespace dp::test {

// Tables and views of weird_tables.h with some of their columns.
inline const std::vector<WeirdQuery> kWeirdPrivate = {
    {"visit",
     {{"id", 'i'}, {"stay", 'i'}, {"ward_id", 'i'}, {"patient_id", 'i'}, {"k", 't'}, {"cost", 'n'}, {"at", 'd'}}},
    {"pat", {{"id", 'i'}, {"age", 'i'}, {"name", 't'}, {"region", 't'}}},
    {"ev", {{"n", 'i'}, {"id", 'i'}, {"k", 't'}}},
    {"visit", {{"stay", 'i'}, {"twice", 'i'}, {"k", 't'}, {"ward_id", 'i'}, {"patient_id", 'i'}}},
    {"barred", {{"stay", 'i'}, {"ward_id", 'i'}, {"k", 't'}, {"cost", 'n'}}},
    {"adults", {{"age", 'i'}, {"id", 'i'}, {"called", 't'}, {"region", 't'}}},
    {"broad", {{"c1", 'i'}, {"c2", 'i'}, {"c1600", 'i'}, {"c1000", 'i'}}},
    // Of each person's rows the first, their order, those before, what is computed of them, two choices of persons.
    {"(SELECT DISTINCT ON (patient_id) patient_id, stay, ward_id, k FROM visit ORDER BY patient_id, at, id)",
     {{"stay", 'i'}, {"ward_id", 'i'}, {"k", 't'}, {"patient_id", 'i'}}},
    {"(SELECT patient_id, stay, ward_id, k, row_number() OVER (PARTITION BY patient_id ORDER BY at, id) AS turn, "
     "lag(stay) OVER (PARTITION BY patient_id ORDER BY at, id) AS before FROM visit)",
     {{"turn", 'i'}, {"before", 'i'}, {"stay", 'i'}, {"k", 't'}, {"ward_id", 'i'}, {"patient_id", 'i'}}},
    {"(SELECT patient_id, count(*) AS n, sum(stay) AS s, min(k) AS k FROM visit GROUP BY patient_id)",
     {{"n", 'i'}, {"s", 'i'}, {"k", 't'}, {"patient_id", 'i'}}},
    {"(SELECT patient_id FROM visit WHERE k = 'a' INTERSECT SELECT id FROM pat WHERE age > 30)", {{"patient_id", 'i'}}},
    {"(SELECT patient_id FROM visit WHERE stay > 3 EXCEPT SELECT patient_id FROM visit WHERE k = 'b')",
     {{"patient_id", 'i'}}}};
inline const std::vector<WeirdQuery> kWeirdAnswers = {{"by_ward", {{"ward_id", 'i'}, {"n", 'i'}, {"s", 'i'}}},
                                                      {"in_all", {{"n", 'i'}, {"s", 'i'}}},
                                                      {"answers(3)", {{"w", 'i'}, {"n", 'i'}}}};
inline const std::vector<WeirdQuery> kWeirdPublic = {{"ward", {{"ward_id", 'i'}, {"beds", 'i'}, {"name", 't'}}},
                                                     {"own", {{"k", 'i'}, {"t", 't'}, {"n", 'n'}, {"twice", 'i'}}},
                                                     {"ONLY base", {{"id", 'i'}, {"a", 'i'}}},
                                                     {"base", {{"a", 'i'}, {"id", 'i'}}},
                                                     {"heir", {{"id", 'i'}, {"a", 'i'}, {"b", 't'}}},
                                                     {"ruled", {{"k", 'i'}, {"t", 't'}}},
                                                     {"own_small", {{"k", 'i'}, {"t", 't'}, {"n", 'n'}}},
                                                     {"own_joined", {{"k", 'i'}, {"t", 't'}, {"name", 't'}}},
                                                     {"kept", {{"id", 'i'}, {"b", 'i'}, {"name", 't'}}},
                                                     {"wide", {{"c1", 'i'}, {"c2", 'i'}, {"c1600", 'i'}, {"c77", 'i'}}},
                                                     {"comp", {{"id", 'i'}}},
                                                     {"plain_rows(5)", {{"w", 'i'}, {"b", 'i'}}},
                                                     {"atomic_rows(5)", {{"b", 'i'}, {"w", 'i'}}}};

// Rows without a table, which may be made of columns that stand before it.
inline Weird::From weird_rows(Weird& weird, const WeirdColumns& outer) {
  const std::string alias = weird.name("f"), x = weird.value('i', outer, 1), y = weird.value('t', outer, 1);
  const auto shown = [&](const std::string& text, const std::string& columns, const WeirdColumns& seen) {
    return Weird::From{text + " " + alias + columns, Weird::named(alias, seen)};
  };
  switch (weird.below(13)) {
    case 0:
      return shown("LATERAL (SELECT " + x + " AS val)", "", {{"val", 'i'}});
    case 1:
      return shown("LATERAL (VALUES (" + x + ", " + y + "), (2, 'b'))", "(u, w)", {{"u", 'i'}, {"w", 't'}});
    case 2:
      return shown("generate_series(1, 3)", "(u)", {{"u", 'i'}});
    case 3:
      return shown("unnest(ARRAY[" + x + ", 4]) WITH ORDINALITY", "(u, o)", {{"u", 'i'}, {"o", 'i'}});
    case 4:
      return shown("unnest(ARRAY[" + y + ", 'q'], ARRAY[" + x + "])", "(w, u)", {{"w", 't'}, {"u", 'i'}});
    case 5:
      return shown("ROWS FROM (generate_series(1, 2), unnest(ARRAY[" + x + ", 5, 6])) WITH ORDINALITY", "(u, v, o)",
                   {{"u", 'i'}, {"v", 'i'}, {"o", 'i'}});
    case 6:
      return shown("LATERAL (SELECT " + x + " AS u, " + y + " AS w WHERE " + weird.condition(outer, 1) + ")", "",
                   {{"u", 'i'}, {"w", 't'}});
    case 7:
      return shown("jsonb_to_recordset(jsonb_build_array(jsonb_build_object('u', " + x + ", 'w', " + y + ")))",
                   "(u int, w text)", {{"u", 'i'}, {"w", 't'}});
    case 8:
      return shown(
          "XMLTABLE('/r/c' PASSING CAST('<r><c n=\"1\">a</c><c n=\"2\">b</c></r>' AS xml) COLUMNS u int PATH "
          "'@n', w text PATH '.', o FOR ORDINALITY)",
          "", {{"u", 'i'}, {"w", 't'}, {"o", 'i'}});
    case 9:
      return shown("LATERAL (SELECT unnest(ARRAY[" + x + ", 3]) AS u ORDER BY " + y + ", 1)", "", {{"u", 'i'}});
    case 10:
      return shown("LATERAL (SELECT u FROM (VALUES (1, " + x + "), (3, 4)) z(u, v) ORDER BY v, u)", "", {{"u", 'i'}});
    case 11:
      return shown("LATERAL (SELECT count(*) AS u, max(z.v) AS v FROM (VALUES (" + x + "), (7)) z(v) WHERE z.v > 1)",
                   "", {{"u", 'i'}, {"v", 'i'}});
    default:
      return shown("LATERAL (SELECT " + x + " AS u UNION ALL SELECT 9)", "", {{"u", 'i'}});
  }
}

// A table joined with rows that have a column of the same name.
inline Weird::From weird_namesakes(Weird& weird, const WeirdQuery& table, int depth) {
  const std::string alias = weird.name("t"), other = weird.name("s"), joined = weird.name("j");
  const WeirdColumns numbers = Weird::of_type('i', table.columns);
  const std::string shared = numbers[static_cast<std::size_t>(weird.below(static_cast<int>(numbers.size())))].name;
  const Weird::From read = weird.item(weird.once_in(5), {}, depth - 1);
  const std::string x = weird.value('i', read.seen, 1), y = weird.value('i', read.seen, 1);
  const std::string rows = "(SELECT " + x + " AS " + shared + ", " + y + " AS more FROM " + read.text + ") " + other;
  const std::string how = weird.word({" JOIN ", " LEFT JOIN ", " FULL JOIN "});
  const WeirdColumns all = Weird::both(table.columns, {{"more", 'i'}});
  const std::string both = table.text + " " + alias;
  if (weird.once_in(3)) return {"(" + both + " NATURAL" + how + rows + ") AS " + joined, Weird::named(joined, all)};
  if (weird.once_in(3)) {
    return {both + how + rows + " USING (" + shared + ") AS " + joined,
            Weird::both(Weird::named(joined, {{shared, 'i'}}), Weird::named(other, {{"more", 'i'}}))};
  }
  return {"(" + both + how + rows + " USING (" + shared + ")) AS " + joined, Weird::named(joined, all)};
}

inline Weird::From Weird::item(bool is_private, const WeirdColumns& outer, int depth) {
  const auto table = [&](const WeirdQuery& of, bool may_be_sampled = false) {
    const std::string alias = name("t");
    std::string sample;
    const bool is_table = of.text.find('(') == std::string::npos && !of.text.starts_with("own_");
    if (may_be_sampled && is_table && once_in(12)) sample = " TABLESAMPLE BERNOULLI (100) REPEATABLE (1)";
    return From{of.text + " " + alias + sample, named(alias, of.columns)};
  };
  const auto query = [&](const WeirdQuery& made, const std::string& before) {
    const std::string alias = name("s");
    return From{before + "(" + made.text + ") " + alias, named(alias, made.columns)};
  };
  if (is_private && asks_private) {
    if (depth > 0 && once_in(6)) return query(chosen(true, {}, depth - 1), "");
    if (depth > 0 && once_in(8)) return weird_namesakes(*this, dice_.one_of(kWeirdPrivate), depth);
    return table(dice_.one_of(kWeirdPrivate));
  }
  if (!ctes.empty() && once_in(4)) return table(dice_.one_of(ctes));
  if (depth <= 0) return once_in(3) ? weird_rows(*this, outer) : table(dice_.one_of(kWeirdPublic), true);
  switch (below(9)) {
    case 7:
      return weird_namesakes(*this, dice_.one_of(kWeirdPublic), depth);
    case 0:
      return query(one_row(true, {}, depth - 1), "");
    case 1:
      return weird_rows(*this, outer);
    case 2:
      return query(grouped(true, {}, depth - 1), "");
    case 3:
      return table(dice_.one_of(kWeirdPublic), true);
    case 4:
      return table(dice_.one_of(asks_private ? kWeirdAnswers : kWeirdPublic));
    case 5:
      return query(chosen(false, outer, depth - 1), "LATERAL ");
    case 6:
      return query(one_row(once_in(2), outer, depth - 1), "LATERAL ");
    default:
      return query(over_answers({}, depth - 1), "");
  }
}

// The column of that name, of whatever is in sight; empty where there is none.
inline std::string weird_named(const WeirdColumns& seen, const std::string& name) {
  for (const WeirdColumn& column : seen) {
    if (column.name.ends_with("." + name)) return column.name;
  }
  return "";
}

// Joins that are admitted beside protected rows; false where there is nothing to join by.
inline bool weird_admitted(Weird& weird, Weird::From* all, const WeirdColumns& outer, int depth) {
  const std::string unit = weird_named(all->seen, "patient_id"), key = weird_named(all->seen, "ward_id");
  const std::string alias = weird.name("s");
  const auto add = [&](const std::string& text, const WeirdColumns& columns) {
    all->text += text;
    all->seen = Weird::both(all->seen, columns);
    return true;
  };
  switch (weird.below(7)) {
    case 0:
    case 1:
    case 2: {
      const WeirdQuery one = weird.one_row(true, {}, depth - 1);
      const WeirdColumns seen = Weird::named(alias, one.columns);
      const bool joins = weird.once_in(4);
      return add((joins ? " JOIN (" : " CROSS JOIN (") + one.text + ") " + alias +
                     (joins ? " ON " + weird.condition(Weird::both(all->seen, seen), 1) : ""),
                 seen);
    }
    case 3:
      if (unit.empty()) return false;
      return add(" JOIN pat " + alias + " ON " + alias + ".id = " + unit,
                 Weird::named(alias, {{"age", 'i'}, {"name", 't'}, {"region", 't'}, {"id", 'i'}}));
    case 4:
      if (key.empty()) return false;
      return add((weird.once_in(3) ? " LEFT JOIN ward " : " JOIN ward ") + alias + " ON " + alias + ".ward_id = " + key,
                 Weird::named(alias, {{"beds", 'i'}, {"name", 't'}}));
    case 5: {
      if (key.empty()) return false;
      const WeirdQuery groups = weird.grouped_by_ward(depth - 1);
      return add(
          " JOIN (" + groups.text + ") " + alias + " ON " + alias + "." + groups.columns.front().name + " = " + key,
          Weird::named(alias, groups.columns));
    }
    default: {
      const WeirdColumns seen = Weird::both(outer, all->seen);
      const std::string x = weird.value('i', seen, 1), y = weird.value('i', seen, 1);
      const std::string where = weird.once_in(2) ? " WHERE " + weird.condition(seen, 1) : "";
      return weird.once_in(3)
                 ? add(" CROSS JOIN LATERAL (VALUES (" + x + "), (" + y + ")) " + alias + "(val)",
                       {{alias + ".val", 'i'}})
                 : add(" CROSS JOIN LATERAL (SELECT " + x + " AS val" + where + ") " + alias, {{alias + ".val", 'i'}});
    }
  }
}

inline Weird::From Weird::from(bool is_private, const WeirdColumns& outer, int depth) {
  From all = item(is_private, outer, depth);
  bool listed = false;
  for (int more = below(3); more > 0; --more) {
    if (is_private && asks_private && !listed && !once_in(8)) {
      // Where it can be joined by nothing it stays alone.
      if (depth > 0) weird_admitted(*this, &all, outer, depth);
      continue;
    }
    const bool other = is_private && once_in(4);
    const From next = item(other, both(outer, all.seen), depth - 1);
    const WeirdColumns seen = both(all.seen, next.seen);
    const auto equality = [&]() -> std::string {
      const char type = once_in(4) ? 't' : 'i';
      const WeirdColumns left = of_type(type, all.seen), right = of_type(type, next.seen);
      if (left.empty() || right.empty() || once_in(4)) return condition(seen, 1);
      return dice_.one_of(left).name + " = " + dice_.one_of(right).name;
    };
    const bool unit = other && all.text.starts_with("visit") && next.text.starts_with("pat ");
    if (listed) {  // a condition would see the last of them alone
      all.text += ", " + next.text;
      all.seen = seen;
      continue;
    }
    switch (unit ? 4 : below(6)) {
      case 0:
        all.text += " CROSS JOIN " + next.text;
        break;
      case 1:
        all.text += " JOIN " + next.text + " ON " + equality();
        break;
      case 2:
        all.text += " LEFT JOIN " + next.text + " ON " + equality();
        break;
      case 3:
        // A name for the columns of both.
        all.text = "(" + all.text + " CROSS JOIN " + next.text + ")";
        break;
      case 4:
        if (unit) {
          all.text += " JOIN " + next.text + " ON " + all.seen.front().name.substr(0, all.seen.front().name.find('.')) +
                      ".patient_id = " + next.seen.front().name;
          break;
        }
        all.text += " CROSS JOIN " + next.text;
        break;
      default:
        all.text += ", " + next.text;
        listed = true;
    }
    all.seen = seen;
  }
  return all;
}

}  // namespace dp::test
