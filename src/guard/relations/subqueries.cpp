#include "guard/relations/subqueries.h"

#include "guard/admission/refusal.h"
#include "guard/admission/total_aggregates.h"
#include "guard/query/permissions.h"
#include "guard/query/plan_dependencies.h"
#include "guard/relations/joins.h"
#include "guard/relations/per_unit_conditions.h"
#include "guard/relations/single_answers.h"
#include "guard/relations/subquery_level.h"
#include "guard/relations/value_lists.h"
#include "guard/tree/columns.h"
#include "guard/tree/entries.h"
#include "pg/joins.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

[[noreturn]] void refuse(const SubLink* link, const char* unsupported) {
  if (strcmp(unsupported, kNoTable) == 0) unsupported = "an empty FROM";
  DP_REFUSE(
      link->location, errmsg("a subquery of a private query cannot be asked through %s", unsupported),
      errhint(
          "Let it read tables alone, with conditions and joins: EXISTS (SELECT FROM t WHERE ...), x IN (SELECT "
          "y FROM t WHERE ...).\nOr let it be a list of public values of the type of x: x IN (SELECT unnest($1)). A "
          "private answer is compared with as one value: x > (SELECT avg(y) FROM t WHERE ...)."));
  pg_unreachable();
}

bool is_not_built_in(Oid function, void*) {
  return function >= FirstUnpinnedObjectId || func_volatile(function) == PROVOLATILE_VOLATILE;
}

// Whether a level computes what is not admitted for each row, but may be for a constant.
bool computes_more(Node* node, void* context) {
  if (node == nullptr) return false;
  if (IsA(node, Query)) return pg::walk_query(castNode(Query, node), computes_more, context, 0);
  if (IsA(node, Aggref)) {
    const auto* const call = castNode(Aggref, node);
    if (!is_total_aggregate(call->aggfnoid) || call->aggdirectargs != NIL) return true;
  } else if (check_functions_in_node(node, is_not_built_in, nullptr)) {
    return true;
  }
  return pg::walk(node, computes_more, context);
}

// Numbers the tables behind those of the level above, and makes what refers to that level refer to its tables.
void put_behind(Sources* rows, int above) {
  const auto put = [above](auto* expression) {
    auto* const node = reinterpret_cast<Node*>(expression);
    renumber_all(node, above);
    come_nearer_by(node, 1);
  };
  put(rows->tree);
  put(rows->conditions);
  renumber_all(rows->sublinks, above);
  come_nearer_but_ctes(rows->sublinks);
  put(rows->security_quals);
  ListCell* cell;
  foreach (cell, rows->items) {
    auto* const item = static_cast<FromItem*>(lfirst(cell));
    if (item->table > 0) item->table += above;
    put(item->columns);
  }
  rows->above = above;
}

// The outputs of a subquery in the place of the parameters that stand for them in a comparison.
struct Outputs {
  const Query* level;
  const Sources* rows;
};

// Of each row that is looked at, or of its group; nullptr where it is computed of several.
Node* output(const Outputs& outputs, int number) {
  ListCell* cell;
  foreach (cell, outputs.level->targetList) {
    const auto* const entry = lfirst_node(TargetEntry, cell);
    if (entry->resjunk || --number > 0) continue;
    if (is_single(outputs.level) || (outputs.level->groupClause != NIL && !is_key(entry, outputs.level)))
      return nullptr;
    return outputs.rows->over_tables(reinterpret_cast<Node*>(entry->expr), "WHERE");
  }
  return nullptr;
}

Node* put_outputs(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  if (IsA(node, Param) && castNode(Param, node)->paramkind == PARAM_SUBLINK) {
    Node* const shown = output(*static_cast<const Outputs*>(context), castNode(Param, node)->paramid);
    if (shown != nullptr) return shown;
  }
  return pg::mutate(node, put_outputs, context);
}

// The levels above and one subquery of the last of them, as if they were joined.
class Both {
 public:
  // `protections`: const Protection*, of the tables of these levels, or the first of them.
  Both(const Sources& levels, List* protections, const Subquery& subquery) : above_(subquery.rows.above) {
    sources_ = levels;
    sources_.tables = list_copy(levels.tables);
    sources_.reads = list_concat_copy(levels.reads, subquery.rows.reads);
    sources_.security_quals = list_concat_copy(levels.security_quals, subquery.rows.security_quals);
    sources_.conditions = list_concat_copy(levels.conditions, subquery.rows.conditions);
    sources_.permissions = list_copy(levels.permissions);
    sources_.tree = reinterpret_cast<Node*>(joined(JOIN_INNER, levels.tree, subquery.rows.tree, nullptr));
    protections_ = list_copy(protections);
    while (list_length(protections_) < above_) protections_ = lappend(protections_, nullptr);
    auto* const holder = makeNode(Query);
    pg::set_permissions(holder, subquery.rows.permissions);
    ListCell* cell;
    foreach (cell, subquery.rows.tables) {
      const auto* const table = lfirst_node(RangeTblEntry, cell);
      sources_.tables = lappend(sources_.tables, pg::entry_for(&sources_.permissions, holder, table));
      const budget::Protection* const protection = protection_to_ask(subquery.rows, foreach_current_index(cell) + 1);
      protections_ = lappend(protections_, const_cast<budget::Protection*>(protection));
    }
    foreach (cell, protections_) {
      if (lfirst(cell) != nullptr) guarded_ = lappend_int(guarded_, foreach_current_index(cell) + 1);
    }
  }

  const Sources& sources() const { return sources_; }
  List* protections() const { return protections_; }
  List* guarded() const { return guarded_; }
  const budget::Protection* protection(int table) const {
    return static_cast<const budget::Protection*>(list_nth(protections_, table - 1));
  }

  // By these conditions as well.
  int somebody_elses(Node* compared, List** facts) const {
    Sources sources = sources_;
    for (List** const list : {&sources.tables, &sources.reads, &sources.security_quals, &sources.permissions})
      *list = list_copy(*list);
    if (compared != nullptr) sources.conditions = lappend(list_copy(sources.conditions), compared);
    JoinConditions conditions(sources);
    const UnitColumns units = find_unit_columns(&sources, &conditions, protections_);
    const int table = guard::somebody_elses(sources, conditions, units, guarded_, above_);
    if (table > 0) return table;
    ListCell* cell;
    foreach (cell, guarded_) {
      const budget::UnitPath* const path = units.path_of(lfirst_int(cell));
      if (path != nullptr) *facts = with_path(*facts, *path);
    }
    return 0;
  }

  bool finds_one_row(List** facts) const {
    const JoinConditions conditions(sources_);
    UnitColumns units;
    units.named = list_length(sources_.tables);
    List* indexes = NIL;
    if (!guard::finds_one_row(sources_, conditions, units, above_, &indexes)) return false;
    ListCell* cell;
    foreach (cell, indexes) *facts = with_dependency(*facts, Dependency::index, lfirst_oid(cell));
    return true;
  }

 private:
  int above_;
  Sources sources_;
  List* protections_;
  List* guarded_ = NIL;
};

class Finder {
 public:
  Finder(InnerQueryTables* tables, const InnerQueries& inner_queries)
      : tables_(tables), inner_queries_(inner_queries) {}

  Node* find(SubLink* subquery, List* levels) {
    Place place{this, &tables_->sources, tables_->protections, levels, false};
    return put_placeholders(reinterpret_cast<Node*>(subquery), &place);
  }

  List* find(List* conditions, List* around) { return ask(conditions, around, tables_->sources, tables_->protections); }

 private:
  // `kept`: a row is kept where the node is true, and in no other case.
  struct Place {
    Finder* self;
    const Sources* above;  // the levels whose rows are asked about, as if they were joined
    List* protections;     // of their tables
    List* levels;          // the queries around the node, innermost first
    bool kept;
  };

  // Conditions on one of these levels, with places for what they ask.
  List* ask(List* conditions, List* around, const Sources& above, List* protections) {
    List* sublinks = NIL;
    ListCell *condition, *levels;
    forboth(condition, conditions, levels, around) {
      Place place{this, &above, protections, static_cast<List*>(lfirst(levels)), true};
      sublinks = lappend(sublinks, put_placeholders(static_cast<Node*>(lfirst(condition)), &place));
    }
    return sublinks;
  }

  static Node* put_placeholders(Node* node, void* context) {
    if (node == nullptr) return nullptr;
    const Place here = *static_cast<const Place*>(context);
    if (IsA(node, SubLink)) {
      SubLink* const any = any_of(castNode(SubLink, node));
      if (any == nullptr) return here.self->place(castNode(SubLink, node), here);
      Place below = here;
      below.kept = false;
      return reinterpret_cast<Node*>(make_notclause(reinterpret_cast<Expr*>(here.self->place(any, below))));
    }
    const bool passes = IsA(node, List) || is_andclause(node) || is_orclause(node);
    Place below = here;
    below.kept = here.kept && passes;
    return pg::mutate(node, put_placeholders, &below);
  }

  Node* place(SubLink* link, const Place& here) {
    check_stack_depth();
    auto* const subquery = static_cast<Subquery*>(palloc0(sizeof(Subquery)));
    subquery->link = link;
    const char* unsupported = nullptr;
    subquery->level = bare(link, &unsupported);
    subquery->rows = sources_of(subquery->level, around(castNode(Query, link->subselect), here.levels));
    if (unsupported == nullptr) unsupported = subquery->rows.unsupported;
    if (unsupported == nullptr && subquery->rows.subqueries != NIL)
      unsupported = "a subquery in FROM that does more than choose rows";
    if (unsupported != nullptr || computes_more(reinterpret_cast<Node*>(subquery->level), nullptr)) {
      Node* const value = as_public_value(link, here.levels, &tables_->answers);
      if (value != nullptr) return value;
      if (unsupported != nullptr) refuse(link, unsupported);
    }
    take_single_answers(&subquery->rows, inner_queries_, &tables_->answers);
    if (preserved_list(subquery->rows.lists) > 0) refuse(link, "an outer join that keeps the rows of a list");
    if (subquery->rows.full != nullptr) refuse(link, "FULL JOIN");
    Sources& rows = subquery->rows;
    rows.passed = list_concat(rows.passed, named_only(subquery->level, &rows.permissions));
    put_behind(&subquery->rows, list_length(here.above->tables));
    const Both both(*here.above, here.protections, *subquery);
    check(subquery, here.kept, both);
    subquery->sublinks = ask(rows.sublinks, rows.around_sublinks, both.sources(), both.protections());
    subquery->sublinks_of_groups = ask_groups(subquery, around(castNode(Query, link->subselect), here.levels), both);
    tables_->subqueries = lappend(tables_->subqueries, subquery);
    auto* const written = reinterpret_cast<Node*>(link);
    return reinterpret_cast<Node*>(column_showing(kPlaceholders, list_length(tables_->subqueries), written));
  }

  // What HAVING asks is taken out of it, but for answers. A key is the same in all rows of a group.
  List* ask_groups(Subquery* subquery, List* levels, const Both& both) {
    List *having = NIL, *sublinks = NIL, *around_sublinks = NIL;
    ListCell* cell;
    foreach (cell, make_ands_implicit(reinterpret_cast<Expr*>(subquery->level->havingQual))) {
      Node* const condition =
          with_single_answers(static_cast<Node*>(lfirst(cell)), levels, inner_queries_, &tables_->answers);
      if (!checkExprHasSubLink(condition)) {
        having = lappend(having, condition);
        continue;
      }
      check_sublinks_of_groups(condition, subquery->level);
      sublinks = lappend(sublinks, subquery->rows.over_tables(condition, "HAVING"));
      around_sublinks = lappend(around_sublinks, levels);
    }
    subquery->level->havingQual = having == NIL ? nullptr : reinterpret_cast<Node*>(make_ands_explicit(having));
    return ask(sublinks, around_sublinks, both.sources(), both.protections());
  }

  void check(Subquery* subquery, bool kept, const Both& both) {
    const SubLink* const link = subquery->link;
    check_asked(both.sources(), both.guarded(), subquery->rows.above, link->location);
    note_tables(*subquery, both);
    if (const int table = both.somebody_elses(nullptr, &tables_->dependencies); table > 0) {
      check_compared(subquery, kept, both, table);
    }
    if (link->subLinkType != EXPR_SUBLINK || is_single(subquery->level)) return;
    if (subquery->level->groupClause == NIL && both.finds_one_row(&tables_->dependencies)) return;
    DP_REFUSE(link->location, errmsg("a subquery that stands for a value may find several rows"),
              errhint("Compare all columns of a unique key, or take an aggregate of the rows: (SELECT max(x) FROM t "
                      "WHERE ...). Any of several values: = ANY (SELECT ...)."));
  }

  // Whether a column of the subquery may be NULL for want of a row, and not because it is nobody's.
  static bool reads_missing(Node* compared, const Both& both, int above) {
    ListCell* cell;
    foreach (cell, pull_var_clause(compared, 0)) {
      const int table = lfirst_node(Var, cell)->varno;
      if (table > above && may_be_missing(both.sources().tree, table)) return true;
    }
    return false;
  }

  // Where the conditions do not tell that all rows are of one person, the comparison may.
  void check_compared(Subquery* subquery, bool kept, const Both& both, int table) {
    const SubLink* const link = subquery->link;
    Outputs outputs{subquery->level, &subquery->rows};
    Node* const compared = link->subLinkType == ANY_SUBLINK ? put_outputs(link->testexpr, &outputs) : nullptr;
    if (compared == nullptr || both.somebody_elses(compared, &tables_->dependencies) > 0)
      refuse_others(link, both, table);
    if (kept) return;
    if (reads_missing(compared, both, subquery->rows.above)) {
      DP_REFUSE(
          link->location,
          errmsg("NOT stands before a comparison with a column that a left join may leave NULL, or it is a value"),
          errhint("Write [NOT] EXISTS (SELECT FROM t WHERE t.y = x), or an inner join."));
    }
    if (!IsA(link->testexpr, OpExpr)) {
      DP_REFUSE(link->location,
                errmsg("NOT stands before a comparison of several columns with a subquery's, or it is a value"),
                errhint("Write [NOT] EXISTS (SELECT FROM t WHERE t.x = x AND t.y = y)."));
    }
    subquery->known = static_cast<Expr*>(linitial(castNode(OpExpr, link->testexpr)->args));
  }

  // The first of these tables of which nobody has said whose its rows are; nullptr where all have a unit.
  static const budget::Protection* without_unit(const Both& both) {
    ListCell* cell;
    foreach (cell, both.guarded()) {
      const budget::Protection* const protection = both.protection(lfirst_int(cell));
      if (!protection->unit.declared()) return protection;
    }
    return nullptr;
  }

  [[noreturn]] static void refuse_others(const SubLink* link, const Both& both, int table) {
    // Without a budget there is no answer to compare with either.
    budget::payer_of(both.protection(table)->relation, planning_role(both.sources().subject(table)));
    const char* const name = get_rel_name(both.sources().table(table)->relid);
    const char* const everybody =
        "Everybody is compared with by a private answer, as one value: x > (SELECT dp_avg(x, 0, 100, 0.5) FROM t)";
    const char* way;
    if (const budget::Protection* const rows = without_unit(both); rows != nullptr) {
      way = psprintf(
          "%s. Rows of the same person can be looked at where a curator has said whose all rows are: SELECT "
          "dp.protect(%s, ..., privacy_unit => 'person_id')",
          everybody, quote_literal_cstr(get_rel_name(rows->relation)));
    } else {
      // Of a path the first step.
      char* const compared = pstrdup(both.protection(table)->unit.path);
      if (char* const end = strchr(compared, '.')) *end = '\0';
      way = psprintf(
          "Compare the privacy unit of both, or the columns of a step of the path to it: EXISTS (SELECT FROM %s AS "
          "other WHERE other.%s = t.%s AND ...). %s",
          quote_identifier(name), compared, compared, everybody);
    }
    DP_REFUSE(
        link->location,
        errmsg("a subquery looks at rows of table %s that may be of other people than the row it is asked for", name),
        errhint("%s.", way));
    pg_unreachable();
  }

  void note_tables(const Subquery& subquery, const Both& both) {
    ListCell* cell;
    foreach (cell, subquery.rows.tables) {
      const auto* const table = lfirst_node(RangeTblEntry, cell);
      const budget::Protection* const protection =
          both.protection(subquery.rows.above + foreach_current_index(cell) + 1);
      tables_->dependencies = with_tables(tables_->dependencies, table->relid, table->inh, protection);
      if (protection == nullptr) continue;
      const Oid subject = subquery.rows.subject(foreach_current_index(cell) + 1);
      tables_->asked =
          lappend(tables_->asked, new (palloc(sizeof(AskedTable))) AskedTable{protection, table->relid, subject});
    }
  }

  InnerQueryTables* tables_;
  const InnerQueries& inner_queries_;
};

}  // namespace

List* find_subqueries(InnerQueryTables* tables, List* conditions, List* around, const InnerQueries& inner_queries) {
  return Finder(tables, inner_queries).find(conditions, around);
}

Node* find_subquery(InnerQueryTables* tables, SubLink* subquery, List* around, const InnerQueries& inner_queries) {
  return Finder(tables, inner_queries).find(subquery, around);
}

}  // namespace dp::guard
