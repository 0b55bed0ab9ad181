#include "guard/groups/unknown_groups.h"

#include <cctype>
#include <cstring>

#include "budget/catalog/public_domain_rows.h"
#include "budget/catalog/unique_indexes.h"
#include "budget/policy/accounts.h"
#include "budget/policy/grouping_expression.h"
#include "budget/policy/ranges.h"
#include "budget/policy/unit_path.h"
#include "budget/policy/unit_path_columns.h"
#include "guard/admission/plain_types.h"
#include "guard/admission/refusal.h"
#include "guard/groups/key_cells.h"
#include "guard/groups/key_parts.h"
#include "guard/groups/key_points.h"
#include "guard/query/permissions.h"
#include "guard/tree/by_number.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// Types whose equal values look the same, or can be made to. (Intervals cannot: a day is 24 hours.)
bool can_have_one_form(Oid type) {
  const Oid base = getBaseType(type);
  if (base == INTERVALOID) return false;
  return is_plain(base) || base == NAMEOID || base == CHAROID || base == UUIDOID || base == OIDOID ||
         type_is_enum(base);
}

// Whether the name stands in the text, not as a part of a longer one.
bool names(const char* text, const char* name) {
  const auto continues = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '"';
  };
  for (const char* at = std::strstr(text, name); at != nullptr; at = std::strstr(at + 1, name)) {
    if ((at == text || !continues(at[-1]) || name[0] == '"') && !continues(at[std::strlen(name)])) return true;
  }
  return false;
}

// The columns of its table that the key reads, as they are written; NIL where the key is not at hand.
List* columns_of(Node* expression, Oid table) {
  List* columns = NIL;
  ListCell* cell;
  foreach (cell, pull_var_clause(expression, 0)) {
    const auto* const column = lfirst_node(Var, cell);
    if (column->varattno <= 0) continue;
    const char* const name = quote_identifier(get_attname(table, column->varattno, false));
    columns = list_append_unique(columns, makeString(pstrdup(name)));
  }
  return columns;
}

// What is declared of one of these columns, to group by; nullptr where nothing is.
const char* declared_of(Oid relation, List* columns) {
  StringInfoData forms;
  initStringInfo(&forms);
  ListCell *form, *column;
  foreach (form, budget::public_expressions(relation)) {
    const char* const text = strVal(lfirst(form));
    bool of_column = false;
    foreach (column, columns) of_column = of_column || names(text, strVal(lfirst(column)));
    if (of_column) appendStringInfo(&forms, "%s%s", forms.len > 0 ? ", " : "", text);
  }
  return forms.len > 0 ? forms.data : nullptr;
}

// The column of a key that is computed from one that can have a range, in a way that depends on the session: no list of
// its values would hold in all of them.
const Var* ranged_column(Node* expression, List* columns) {
  if (expression == nullptr || budget::is_settled(expression) || list_length(columns) != 1) return nullptr;
  const auto* const column = linitial_node(Var, pull_var_clause(expression, 0));
  return budget::can_have_range(getBaseType(column->vartype)) ? column : nullptr;
}

// Said of a key whose values would be public if there were fewer of them; nullptr of others.
const char* too_many(const char* key, Node* expression, Oid relation, List* columns) {
  if (expression == nullptr || list_length(columns) != 1) return nullptr;
  const auto* const column = linitial_node(Var, pull_var_clause(expression, 0));
  const auto range = budget::range_of_column(relation, column->varattno);
  const auto cells = range ? cells_of(expression, column, *range, NIL) : std::nullopt;
  if (!cells || cells->most() <= kMostKeyPoints) return nullptr;
  const char* const name = quote_identifier(get_attname(relation, column->varattno, false));
  const char* const many = cells->most() < kUncounted ? "up to" : "more than";
  return psprintf(
      "group by something coarser, or choose less of %s in WHERE: %s can have %s %lld values in the range of %s, and "
      "at most %lld are looked at",
      name, key, many, static_cast<long long>(cells->most()), name, static_cast<long long>(kMostKeyPoints));
}

// What a curator has to declare, or who asks to group by where that was done.
const char* declaration(const char* table, const char* key, Node* expression, Oid relation, List* columns) {
  if (const char* const many = too_many(key, expression, relation, columns); many != nullptr) return many;
  const Var* const column = ranged_column(expression, columns);
  if (column == nullptr) {
    return psprintf("ask a curator to declare them: SELECT dp.declare_values(%s, %s, ...)", quote_literal_cstr(table),
                    quote_literal_cstr(key));
  }
  const char* const name = get_attname(relation, column->varattno, false);
  if (budget::range_of_column(relation, column->varattno)) {
    const bool number = TypeCategory(getBaseType(column->vartype)) == TYPCATEGORY_NUMERIC;
    return psprintf("group by something coarser: %s has a range, so %s%s) and the like are public", name,
                    number ? "floor(" : "date_trunc('day', ", quote_identifier(name));
  }
  return psprintf(
      "ask a curator to declare a range, which makes them public: SELECT dp.declare_range(%s, %s, 'from', 'to')",
      quote_literal_cstr(table), quote_literal_cstr(name));
}

// Of a key that reads several tables.
const char* way_over_tables(Node* expression, List* tables) {
  ListCell* cell;
  foreach (cell, pull_var_clause(expression, 0)) {
    const auto* const column = lfirst_node(Var, cell);
    const Oid table = entry_numbered(column->varno, tables)->relid;
    const auto protection = OidIsValid(table) ? budget::protection_of(table) : std::nullopt;
    if (!protection || column->varattno <= 0 || listed_size(table, column->varattno, planning_role(InvalidOid)) ||
        budget::range_of_column(table, column->varattno))
      continue;
    if (budget::says_whose(*protection, table, column->varattno))
      return "Each group would be of one person, whom answers hide: leave out of the key what says whose a row is";
    const char* const name = quote_literal_cstr(get_attname(table, column->varattno, false));
    const char* const relation = quote_literal_cstr(get_rel_name(protection->relation));
    if (budget::can_have_range(getBaseType(column->vartype)))
      return psprintf("Ask a curator to declare a range: SELECT dp.declare_range(%s, %s, 'from', 'to')", relation,
                      name);
    return psprintf("Ask a curator to declare values: SELECT dp.declare_values(%s, %s, ...)", relation, name);
  }
  return "Group by the columns themselves, or by something coarser of each, such as date_trunc('month', x) or "
         "floor(x / 10): at most 200,000 combinations of what they can hold are looked at";
}

bool reads_several(Node* expression) {
  return expression != nullptr && bms_membership(pull_varnos(nullptr, expression)) == BMS_MULTIPLE;
}

// Whether the key reads what a subquery computes of each person. (Values of other subqueries are public.)
bool reads_per_unit(Node* expression, List* tables) {
  ListCell* cell;
  foreach (cell, pull_var_clause(expression, 0)) {
    if (entry_numbered(lfirst_node(Var, cell)->varno, tables)->rtekind == RTE_SUBQUERY) return true;
  }
  return false;
}

// What is computed of each person has the groups that the question lists, or that follow from what is declared.
const char* way_of_per_unit(Node* expression, List* tables) {
  const auto* const column = linitial_node(Var, pull_var_clause(expression, 0));
  const RangeTblEntry* const subquery = entry_numbered(column->varno, tables);
  const char* const name = quote_identifier(column_name(subquery, column->varattno));
  const Oid type = getBaseType(column->vartype);
  if (type == INT2OID || type == INT4OID || type == INT8OID) {
    return psprintf(
        "Say which values of %s there are: WHERE %s BETWEEN 0 AND 10, or group by LEAST(%s, 10).\nOr count people in "
        "buckets: dp_histogram(%s, 0, 10, 10, %s)",
        name, name, name, name, example_epsilon());
  }
  if (TypeCategory(type) == TYPCATEGORY_NUMERIC) {
    return psprintf(
        "Say between which numbers %s lies, and round it: WHERE %s BETWEEN 0 AND 100 GROUP BY floor(%s / 10).\nOr "
        "count people in buckets: dp_histogram(%s, 0, 100, 10, %s)",
        name, name, name, name, example_epsilon());
  }
  if (TypeCategory(type) == TYPCATEGORY_DATETIME) {
    return psprintf(
        "Let %s be the moment itself, min(day) AS %s, say between which it lies, and group by a part of it: WHERE "
        "%s >= '2024-01-01' AND %s < '2025-01-01' GROUP BY date_trunc('month', %s).\nOr ask a curator to declare "
        "a range of the columns that it is computed from, with dp.declare_range",
        name, name, name, name, name);
  }
  return psprintf("Say which values of %s there are: WHERE %s IN (...)", name, name);
}

// The tables of a path, joined as it leads.
const char* joined_along(const budget::UnitPath& path, Oid table) {
  StringInfoData joined;
  initStringInfo(&joined);
  appendStringInfoString(&joined, quote_identifier(get_rel_name(table)));
  ListCell* cell;
  foreach (cell, path.steps) {
    const auto& step = *static_cast<const budget::UnitStep*>(lfirst(cell));
    const char* const from = quote_identifier(get_rel_name(step.from));
    const char* const to = quote_identifier(get_rel_name(step.to));
    appendStringInfo(&joined, " JOIN %s ON ", to);
    for (int i = 0; i < step.columns; ++i) {
      appendStringInfo(&joined, "%s%s.%s = %s.%s", i > 0 ? " AND " : "", from,
                       quote_identifier(get_attname(step.from, step.own[i], false)), to,
                       quote_identifier(get_attname(step.to, step.referred[i], false)));
    }
  }
  return joined.data;
}

// What is asked where each group would be of one person by a part of the path, or by a column that is unique; nullptr
// for another key.
const char* way_of_one_person(const GroupKey& key) {
  const Oid table = key.table;
  const auto column = static_cast<AttrNumber>(key.column);
  const auto protection = OidIsValid(table) ? budget::protection_of(table) : std::nullopt;
  if (!protection || column <= 0 || !protection->unit.declared()) return nullptr;
  const bool is_step = protection->unit.steps != NIL && budget::says_whose(*protection, table, column);
  const bool is_unit = protection->unit.steps == NIL && budget::says_whose(*protection, table, column);
  if (is_unit || (!is_step && !OidIsValid(budget::unique_index(table, column, false)))) return nullptr;
  const auto path = budget::unit_path(*protection, table);
  if (!path) return nullptr;
  const char* const unit = quote_identifier(get_attname(path->table, path->column, false));
  const char* const name = quote_identifier(get_attname(table, column, false));
  const char* const owner = quote_identifier(get_rel_name(path->table));
  const char* const own = quote_identifier(get_rel_name(table));
  return psprintf(
      "Group by whose they are, too, GROUP BY %s, %s, and ask about all of them: SELECT dp_avg(n, 0, 10, %s) FROM "
      "(SELECT %s.%s, %s.%s, count(*) AS n FROM %s GROUP BY 1, 2) AS each",
      unit, name, example_epsilon(), owner, unit, own, name, joined_along(*path, table));
}

// What is asked in the place of groups by the privacy unit itself.
const char* way_to_ask_all(const char* unit, Oid relation) {
  return psprintf(
      "Ask about all of them, in a subquery that is read once, without LIMIT and grouping sets: SELECT dp_count('*', "
      "%s) "
      "FROM (SELECT %s, count(*) AS n FROM %s GROUP BY 1) AS people WHERE n > 1",
      example_epsilon(), unit, quote_identifier(get_rel_name(relation)));
}

// Of a column that leads to somebody, by a foreign key to rows that may not be read: questions about each of them need
// a privacy unit. nullptr where it does not, or where there is a unit.
const char* way_of_unknown_person(const budget::Protection& protection, Oid table, AttrNumber column) {
  if (protection.unit.declared() || column <= 0 || !budget::foreign_key_of(table, column)) return nullptr;
  const char* const name = quote_identifier(get_attname(table, column, false));
  return psprintf(
      "Questions about each %s need a curator who says whose the rows are: SELECT dp.protect(%s, ..., "
      "privacy_unit => %s)",
      name, quote_literal_cstr(get_rel_name(protection.relation)), quote_literal_cstr(name));
}

// How the values of a key become public: declared for the protected table that it reads, or as a column of a public
// one. Without the full stop; a second line has other ways.
const char* way_to_publish(const GroupKey& key, Node* expression, List* tables) {
  if (reads_several(expression)) return way_over_tables(expression, tables);
  if (reads_per_unit(expression, tables)) return way_of_per_unit(expression, tables);
  const Oid table = key.table;
  const auto protection = OidIsValid(table) ? budget::protection_of(table) : std::nullopt;
  if (!protection) return "Group by columns of one joined table: their values are public, up to 100,000 rows";
  const char* const name = get_rel_name(protection->relation);
  const auto column = static_cast<AttrNumber>(key.column);
  const char* const written = key.text;
  if (column > 0 && protection->unit.steps == NIL && budget::says_whose(*protection, table, column))
    return psprintf("Each group would be one person, whom answers hide. %s",
                    way_to_ask_all(written, protection->relation));
  const Oid type = key.type;
  const auto declared = budget::declaration_of(protection->relation, written);
  if (declared && declared->type != type) {
    return psprintf(
        "What is declared of it are values of type %s, and it has type %s now. Ask a curator to declare it "
        "again: SELECT dp.declare_values(%s, %s, ...)",
        format_type_be(declared->type), format_type_be(type), quote_literal_cstr(name), quote_literal_cstr(written));
  }
  List* const columns = expression == nullptr ? NIL : columns_of(expression, table);
  const char* const forms = declared_of(protection->relation, columns);
  char* const rest = pstrdup(declaration(name, written, expression, table, columns));
  const char* const person =
      expression == nullptr || !IsA(expression, Var) ? nullptr : way_of_unknown_person(*protection, table, column);
  if (forms == nullptr && person != nullptr) return psprintf("%s.\nOr %s", person, rest);
  if (forms == nullptr) {
    rest[0] = pg_toupper(static_cast<unsigned char>(rest[0]));
    return rest;
  }
  return psprintf("Public is %s: group by just that (SELECT * FROM dp.describe_table(%s) shows it).\nOr %s", forms,
                  quote_literal_cstr(name), rest);
}

// What who asks can write: the values alone, or each counted.
const char* way_to_list(const char* text, Node* expression) {
  if (expression != nullptr && IsA(expression, Var))
    return psprintf("list the values that you ask for: WHERE %s IN (...)", text);
  return psprintf("count listed values: dp_histogram(%s, ARRAY[...], %s)", text, example_epsilon());
}

}  // namespace

bool is_of_one_person(const GroupKey& key) {
  const Oid table = key.table;
  const auto column = static_cast<AttrNumber>(key.column);
  const auto protection = OidIsValid(table) ? budget::protection_of(table) : std::nullopt;
  if (!protection || column <= 0) return false;
  return (protection->unit.declared() && budget::says_whose(*protection, table, column)) ||
         OidIsValid(budget::unique_index(table, column, false));
}

void require_one_form(const GroupKey& key, Node* written, const TargetEntry* runs) {
  auto* const expression = reinterpret_cast<Node*>(runs->expr);
  const Oid type = exprType(expression);
  if (can_have_one_form(type)) return;
  DP_REFUSE(exprLocation(expression),
            errmsg("groups of type %s can show which form of equal values a row holds", format_type_be(type)),
            errhint("%s.", budget::is_settled(written) ? way_to_publish(key, nullptr, NIL)
                                                       : "Group by a part of the moment that it is computed from, "
                                                         "such as date_trunc('month', x)"));
}

void refuse_groups_of_one(const InnerQuery& inner_query, const GroupKey& key, Node* expression) {
  const char* way = way_of_one_person(key);
  const auto protection = budget::protection_of(key.table);
  if (way == nullptr && protection->unit.declared() &&
      budget::says_whose(*protection, key.table, static_cast<AttrNumber>(key.column)))
    way = way_to_ask_all(key.text, inner_query.first.relation);
  DP_REFUSE(exprLocation(expression), errmsg("each group of %s would be of one person, whom answers hide", key.text),
            errhint("%s.", way != nullptr ? way : "Group by what several of them have in common"));
  pg_unreachable();
}

void refuse_unknown_groups(const InnerQuery& inner_query, const GroupKey& key, Node* expression, List* tables) {
  const char* const table = get_rel_name(inner_query.first.relation);
  if (const char* const way = way_of_one_person(key)) {
    DP_REFUSE(exprLocation(expression), errmsg("each group of %s would be of one person, whom answers hide", key.text),
              errhint("%s.", way));
  }
  const char* const way = way_to_publish(key, expression, tables);
  DP_REFUSE(
      exprLocation(expression),
      errmsg("the values of %s are not public, and table %s has no epsilon and delta for choosing groups privately",
             key.text, table),
      errdetail("The presence of a group would show that a row is there."),
      errhint("%s%s ask for the private choice: SELECT dp.protect(%s, ..., group_epsilon => 0.1, group_delta => "
              "1e-6); or %s.",
              way, std::strchr(way, '\n') == nullptr ? ".\nOr" : "; or", quote_literal_cstr(table),
              way_to_list(key.text, expression)));
  pg_unreachable();
}

}  // namespace dp::guard
