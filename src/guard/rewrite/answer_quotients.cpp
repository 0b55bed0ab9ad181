#include "guard/rewrite/answer_quotients.h"

#include "guard/admission/values.h"
#include "guard/forms/total_forms.h"
#include "guard/relations/from_clause.h"
#include "guard/tree/by_number.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// A column of a subquery, and the inner query that answers what it is computed from.
struct SeenColumn {
  const Query* query;
  std::int64_t column;  // kWhole: all that it shows
  InnerQuery* answers;  // nullptr: it is computed from none
};
constexpr std::int64_t kWhole = 0;

// Looks for the inner query that answers what an expression is computed from. Each column is looked at once: what is
// computed of itself in several places, subquery above subquery, would double the work at each.
class Origin {
 public:
  explicit Origin(const InnerQueries& inner_queries) : inner_queries_(inner_queries) {
    HASHCTL control{};
    control.keysize = offsetof(SeenColumn, answers);
    control.entrysize = sizeof(SeenColumn);
    control.hcxt = CurrentMemoryContext;
    seen_ = hash_create("columns above answers", 64, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
  }
  Origin(const Origin&) = delete;
  Origin& operator=(const Origin&) = delete;

  // `levels`: the queries around it, innermost first. `parameters`: the answers that its parameters stand for. nullptr:
  // it is computed from none.
  InnerQuery* of(Node* expression, List* levels, List* parameters) {
    levels_ = levels;
    parameters_ = parameters;
    return look(expression) ? found_ : nullptr;
  }

 private:
  static bool look_at(Node* node, void* context) { return static_cast<Origin*>(context)->look(node); }

  bool look(Node* node) {
    if (node == nullptr) return false;
    if (IsA(node, Query)) return look_within(castNode(Query, node));
    if (IsA(node, Var)) return look_up(castNode(Var, node));
    if (IsA(node, Param)) return look_up(castNode(Param, node));
    if (IsA(node, Aggref) && look_in_level(castNode(Aggref, node)->agglevelsup)) return true;
    return pg::walk(node, look_at, this);
  }

  // What a subquery shows; or, as far as columns are computed from it, whatever it reads.
  bool look_within(Query* query) { return look_once(query, kWhole); }

  // A column of a subquery of the current level.
  bool look_up(Query* query, AttrNumber column) {
    const bool by_itself = query->setOperations == nullptr && column > 0 && column <= list_length(query->targetList);
    return look_once(query, by_itself ? column : kWhole);
  }

  bool look_once(Query* query, std::int64_t column) {
    const SeenColumn key{query, column, nullptr};
    bool known;
    auto* seen = static_cast<SeenColumn*>(hash_search(seen_, &key, HASH_ENTER, &known));
    if (!known) {
      seen->answers = nullptr;
      const bool found = look_into(query, column);
      seen = static_cast<SeenColumn*>(hash_search(seen_, &key, HASH_FIND, nullptr));
      seen->answers = found ? found_ : nullptr;
    }
    found_ = seen->answers;
    return found_ != nullptr;
  }

  bool look_into(Query* query, std::int64_t column) {
    if ((found_ = inner_queries_.find(query)) != nullptr) return true;
    List* const levels = levels_;
    levels_ = around(query, levels);
    const bool found = column == kWhole
                           ? look(reinterpret_cast<Node*>(query->targetList)) || look_in_level(0)
                           : look(reinterpret_cast<Node*>(target_numbered(query->targetList, column)->expr));
    levels_ = levels;
    return found;
  }

  bool look_up(const Var* column) {
    List* const levels = levels_;
    if (static_cast<int>(column->varlevelsup) >= list_length(levels)) return false;
    levels_ = list_copy_tail(levels, static_cast<int>(column->varlevelsup));
    auto* const level = static_cast<Query*>(linitial(levels_));
    const bool found = column->varno > 0 && column->varno <= list_length(level->rtable) &&
                       look_up(entry_numbered(column->varno, level->rtable), column->varattno);
    levels_ = levels;
    return found;
  }

  bool look_up(const Param* parameter) {
    return parameter->paramkind == PARAM_EXEC && parameter->paramid < list_length(parameters_) &&
           look(static_cast<Node*>(list_nth(parameters_, parameter->paramid)));
  }

  bool look_up(RangeTblEntry* entry, AttrNumber column) {
    switch (entry->rtekind) {
      case RTE_SUBQUERY:
        return look_up(entry->subquery, column);
      case RTE_JOIN:
        return column > 0 && column <= list_length(entry->joinaliasvars) &&
               look(static_cast<Node*>(list_nth(entry->joinaliasvars, column - 1)));
      case RTE_CTE: {
        List* const levels = levels_;
        const CommonTableExpr* const cte = find_cte(entry, levels, &levels_);
        const bool found = cte != nullptr && look_up(castNode(Query, cte->ctequery), column);
        levels_ = levels;
        return found;
      }
      case RTE_FUNCTION:
        return look(reinterpret_cast<Node*>(entry->functions));
      case RTE_VALUES:
        return look(reinterpret_cast<Node*>(entry->values_lists));
      default:
        return false;
    }
  }

  // Whether a level reads answers: how many there are depends on them.
  bool look_in_level(Index up) {
    if (static_cast<int>(up) >= list_length(levels_)) return false;
    List* const levels = levels_;
    levels_ = list_copy_tail(levels, static_cast<int>(up));
    bool found = false;
    ListCell* cell;
    foreach (cell, static_cast<Query*>(linitial(levels_))->rtable) {
      auto* const entry = lfirst_node(RangeTblEntry, cell);
      if (entry->rtekind == RTE_SUBQUERY) found = look_within(entry->subquery);
      if (entry->rtekind == RTE_CTE) found = look_up(entry, 0);
      if (found) break;
    }
    levels_ = levels;
    return found;
  }

  const InnerQueries& inner_queries_;
  HTAB* seen_;  // SeenColumn
  List* levels_ = NIL;
  List* parameters_ = NIL;
  InnerQuery* found_ = nullptr;
};

struct Dividing {
  const InnerQueries* inner_queries;
  Origin* origin;
  List* levels;            // the queries around the current node as they were, innermost first
  List* parameters = NIL;  // SubLink: the answers that parameters of the current node stand for
};

Node* divide(Node* node, void* context);

List* divided(List* expressions, Dividing here) {
  return reinterpret_cast<List*>(divide(reinterpret_cast<Node*>(expressions), &here));
}

// What an inner query compares with: answers of others, and what is computed from these before its rows are read.
void divide_beside(InnerQuery* inner_query, const Dividing& here) {
  inner_query->answers = divided(inner_query->answers, here);
  inner_query->parameters =
      divided(inner_query->parameters, {here.inner_queries, here.origin, here.levels, inner_query->answers});
}

// What must not be 0, or negative, of a call; NIL where nothing is.
List* divisors(const CalledFunction& call, const char* total) {
  for (const char* name : {"dp_div", "dp_mod", "div", "div_trunc"})
    if (strcmp(name, total) == 0) return list_make1(lsecond(call.arguments));
  for (const char* name : {"sqrt", "ln", "log", "power"})
    if (strcmp(name, total) == 0) return call.arguments;
  return NIL;
}

Node* divide(Node* node, void* context) {
  if (node == nullptr) return nullptr;
  const auto* const here = static_cast<Dividing*>(context);
  if (IsA(node, Query)) {
    auto* const query = castNode(Query, node);
    if (InnerQuery* const inner_query = here->inner_queries->find(query)) {
      divide_beside(inner_query, *here);
      return node;
    }
    Dividing within{here->inner_queries, here->origin, around(query, here->levels)};
    return reinterpret_cast<Node*>(pg::mutate_query(query, divide, &within, 0));
  }
  Node* const copy = pg::mutate(node, divide, context);
  if (!IsA(node, OpExpr) && !IsA(node, FuncExpr)) return copy;
  const char* const total = total_form_of(node);
  List* const divided_by = total == nullptr ? NIL : divisors(called_by(node), total);
  if (divided_by == NIL) return copy;
  InnerQuery* const answers = here->origin->of(reinterpret_cast<Node*>(divided_by), here->levels, here->parameters);
  if (answers == nullptr) return copy;
  const char* const name =
      psprintf(list_length(divided_by) == 1 && list_length(called_by(node).arguments) == 2 ? "%s by an answer"
                                                                                           : "%s of an answer",
               written_name(node));
  answers->failing = list_append_unique(answers->failing, makeString(pstrdup(name)));
  return in_total_form(copy);
}

}  // namespace

void divide_by_answers(Query* query, const InnerQueries& inner_queries) {
  Origin origin(inner_queries);
  Dividing outermost{&inner_queries, &origin, NIL};
  *query = *castNode(Query, divide(reinterpret_cast<Node*>(query), &outermost));
}

}  // namespace dp::guard
