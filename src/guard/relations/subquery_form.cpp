// The subqueries of conditions as they run.
#include "guard/admission/total_aggregates.h"
#include "guard/forms/admitted_form.h"
#include "guard/relations/level_query.h"
#include "guard/relations/subqueries.h"
#include "guard/tree/columns.h"
#include "pg/nodes.h"
#include "pg/walk.h"

namespace dp::guard {
namespace {

// In a comparison the place of a subquery's output.
constexpr int kOutputs = kPlaceholders + 1;

Node* outputs_to_columns(Node* node, void*) {
  if (node == nullptr) return nullptr;
  if (!IsA(node, Param) || castNode(Param, node)->paramkind != PARAM_SUBLINK)
    return pg::mutate(node, outputs_to_columns, nullptr);
  const auto* const output = castNode(Param, node);
  return reinterpret_cast<Node*>(column_showing(kOutputs, output->paramid, output));
}

Node* columns_to_outputs(Node* node, void*) {
  if (node == nullptr) return nullptr;
  if (!IsA(node, Var) || castNode(Var, node)->varno != kOutputs) return pg::mutate(node, columns_to_outputs, nullptr);
  const auto* const column = castNode(Var, node);
  auto* const output = makeNode(Param);
  output->paramkind = PARAM_SUBLINK;
  output->paramid = column->varattno;
  output->paramtype = column->vartype;
  output->paramtypmod = column->vartypmod;
  output->paramcollid = column->varcollid;
  output->location = -1;
  return reinterpret_cast<Node*>(output);
}

Node* is_known(Expr* value) { return pg::is_not_null(copyObjectImpl(value)); }

class Former {
 public:
  Former(const InnerQueryTables& tables, InnerQuery* what) : tables_(tables), what_(what) {}

  Node* form(Node* condition, const char* place = "WHERE") { return put(admitted_form(condition, place, what_), this); }

  static Node* put(Node* node, void* self) {
    if (node == nullptr) return nullptr;
    if (!IsA(node, Var) || castNode(Var, node)->varno != kPlaceholders) return pg::mutate(node, put, self);
    auto& former = *static_cast<Former*>(self);
    return former.form_of(
        *static_cast<const Subquery*>(list_nth(former.tables_.subqueries, castNode(Var, node)->varattno - 1)));
  }

 private:
  Node* form_of(const Subquery& subquery) {
    Query* query = level_query(subquery.level, subquery.rows, what_);
    auto* const link = static_cast<SubLink*>(copyObjectImpl(subquery.link));
    link->testexpr =
        columns_to_outputs(admitted_form(outputs_to_columns(link->testexpr, nullptr), "WHERE", what_), nullptr);
    if (subquery.known != nullptr) {
      Node* const found = is_known(linitial_node(TargetEntry, query->targetList)->expr);
      query->jointree->quals = make_and_qual(query->jointree->quals, found);
    }
    ListCell* cell;
    foreach (cell, subquery.sublinks) {
      query->jointree->quals = make_and_qual(query->jointree->quals, form(static_cast<Node*>(lfirst(cell))));
      query->hasSubLinks = true;
    }
    foreach (cell, subquery.sublinks_of_groups) {
      Node* const condition = form(total_aggregates(static_cast<Node*>(lfirst(cell))), "HAVING");
      query->havingQual = make_and_qual(query->havingQual, condition);
      query->hasSubLinks = true;
    }
    query = static_cast<Query*>(copyObjectImpl(query));
    split_off(query, subquery.rows.above);
    link->subselect = reinterpret_cast<Node*>(query);
    return subquery.known == nullptr ? reinterpret_cast<Node*>(link) : where_known(subquery.known, link);
  }

  // CASE WHEN x IS NOT NULL THEN x IN (...) END
  Node* where_known(Expr* value, SubLink* link) {
    return pg::case_when(admitted_form(is_known(value), "WHERE", what_), link, makeNullConst(BOOLOID, -1, InvalidOid));
  }

  const InnerQueryTables& tables_;
  InnerQuery* what_;
};

}  // namespace

Node* put_subqueries(Node* admitted, const InnerQueryTables& tables, InnerQuery* what) {
  Former former(tables, what);
  return Former::put(admitted, &former);
}

void ask_subqueries(Query* query, const InnerQueryTables& tables, InnerQuery* what) {
  Former former(tables, what);
  ListCell* cell;
  foreach (cell, tables.sublinks) {
    Node* const condition = former.form(static_cast<Node*>(lfirst(cell)));
    query->jointree->quals = make_and_qual(query->jointree->quals, condition);
    query->hasSubLinks = true;
  }
  foreach (cell, tables.sublinks_of_groups) {
    Node* const condition = former.form(total_aggregates(static_cast<Node*>(lfirst(cell))), "HAVING");
    query->havingQual = make_and_qual(query->havingQual, condition);
    query->hasSubLinks = true;
  }
}

}  // namespace dp::guard
