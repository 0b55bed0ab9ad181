#include "guard/release/release_explain.h"

#include "aggregate/call/settings.h"
#include "budget/policy/accounts.h"
#include "guard/inner/inner_run.h"
#include "guard/inner/other_owners.h"
#include "guard/inner/shards.h"
#include "guard/release/expected_error.h"
#include "guard/release/foretold.h"
#include "guard/release/group_curves.h"
#include "guard/release/not_counted.h"
#include "guard/release/release_node.h"
#include "guard/rewrite/rounded_now.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

const char* joined(List* texts, const char* between = ", ") {
  StringInfoData text;
  initStringInfo(&text);
  ListCell* cell;
  foreach (cell, texts)
    appendStringInfo(&text, "%s%s", foreach_current_index(cell) > 0 ? between : "", strVal(lfirst(cell)));
  return text.data;
}

// What is said of an aggregate whose groups are answered together, and not read off a stored answer to them by
// themselves; else nullptr.
const char* shows_curve(const ReleaseNode& node, int aggregate) {
  const bool by_themselves = node.reuse != nullptr && node.reuse->filtered;
  return node.curves == nullptr || by_themselves ? nullptr : node.curves->text_of(aggregate);
}

List* curves_of(const ReleaseNode& node) {
  List* curves = NIL;
  for (int i = 0; i < node.gate->size(); ++i)
    if (const char* const text = shows_curve(node, i)) curves = lappend(curves, const_cast<char*>(text));
  return curves;
}

List* expected_errors(const ReleaseNode* node) {
  List* errors = NIL;
  for (int i = 0; i < node->gate->size(); ++i)
    if (const char* const error = pg::entry([=] { return error_before(*node, i); }); error != nullptr)
      errors = lappend(errors, psprintf("%s: %s", strVal(list_nth(node->inner_query.aggregates, i)), error));
  return errors;
}

// String: what is read off each release. Of aggregates whose rows exclude each other, or among which that is divided
// what counts of a unit, all of a family.
List* releases_of(const InnerQuery& what) {
  List* texts = list_copy(what.shared);
  if (what.families == NIL) return texts;
  for (int family = 1; family <= list_length(what.families); ++family) {
    List* aggregates = NIL;
    ListCell *number, *text;
    forboth(number, what.families, text, what.aggregates) if (lfirst_int(number) == family) aggregates =
        lappend(aggregates, lfirst(text));
    if (aggregates != NIL) texts = lappend(texts, makeString(const_cast<char*>(joined(aggregates))));
  }
  return texts;
}

// String: the aggregates whose limits are chosen from the same counts, as joined texts.
List* choices_of(const InnerQuery& what) {
  List* texts = NIL;
  if (!what.chooses_limits()) return NIL;
  for (int first = 1; first <= list_length(what.same_rows); ++first) {
    List* aggregates = NIL;
    ListCell *number, *text;
    forboth(number, what.same_rows, text, what.aggregates) if (lfirst_int(number) == first) aggregates =
        lappend(aggregates, lfirst(text));
    if (aggregates != NIL) texts = lappend(texts, makeString(const_cast<char*>(joined(aggregates))));
  }
  return texts;
}

// Where nobody has said what an answer costs that names no epsilon.
const char* price_by_default(const ReleaseNode* node) {
  if (!node->inner_query.plain || aggregate::epsilon_setting() > 0) return nullptr;
  for (int i = 0; i < node->inner_query.protected_tables(); ++i) {
    const auto protection = budget::protection_of(node->inner_query.protected_table(i).relation);
    if (!protection) continue;
    const auto answer = budget::curated_answer(*protection, node->roles[i]);
    if (answer.share_of_budget)
      return psprintf("%s, a hundredth of the budget on %s within its limits, as nobody has said answer_epsilon",
                      budget::epsilon_decimal(answer.epsilon).text, get_rel_name(protection->relation));
  }
  return nullptr;
}

// How many groups the answer has, where it is known which there are: nothing where some are chosen privately, for
// several grouping sets, and where EXPLAIN has not read their values.
std::optional<std::int64_t> public_groups(const ReleaseNode& node) {
  if (node.question == nullptr || node.inner_query.sets() > 1 || !node.groups->are_public()) return std::nullopt;
  if (node.inner_query.keys == NIL) return 1;
  std::int64_t shown = 0;
  for (std::int64_t group = 0; group < node.groups->combinations(); ++group)
    if (node.groups->is_shown(group)) ++shown;
  return shown;
}

// Whether it is another question each time, so that what is stored never serves.
bool is_asked_anew(const ReleaseNode& node) {
  return node.question != nullptr && !node.is_free() && follow_clock(node.inner_query.parameters);
}

}  // namespace

// The partitions that are charged, where each has a budget; nullptr where none has.
static const char* blocks_text(const ReleaseNode& node) {
  StringInfoData names;
  initStringInfo(&names);
  for (int i = 0; i < node.inner_query.protected_tables(); ++i) {
    ListCell* cell;
    foreach (cell, static_cast<List*>(list_nth(node.blocks, i))) {
      if (lfirst_oid(cell) == node.inner_query.protected_table(i).relation) continue;
      appendStringInfo(&names, "%s%s", names.len > 0 ? ", " : "", get_rel_name(lfirst_oid(cell)));
    }
  }
  return names.len > 0 ? names.data : nullptr;
}

// A line for each server: people are shown which does what.
static void explain_servers(const PlannedStmt* plan, ExplainState* es) {
  const ServersRead read = servers_read(plan);
  const auto put = [es](const char* what, List* servers) {
    if (servers == NIL) return;
    if (es->format != EXPLAIN_FORMAT_TEXT) return ExplainPropertyList(what, servers, es);
    ListCell* cell;
    foreach (cell, servers) ExplainPropertyText(what, static_cast<const char*>(lfirst(cell)), es);
  };
  put("Parts", read.parts);
  put("Rows", read.rows);
}

const char* error_before(const ReleaseNode& node, int aggregate) {
  if (node.inner_query.row_bounds != NIL && !node.knows_rows) return nullptr;
  if (shows_curve(node, aggregate) != nullptr) return nullptr;
  const aggregate::Call& call = node.gate->call(aggregate);
  if (call.coordinates == 0) return expected_ranks(call);
  // As its limit will be; or that of another role's answer, which is paid for before it is known.
  const bool own = node.reuse != nullptr && node.reuse->way != Reuse::Way::shared;
  if (call.limit_epsilon.nano > 0 && !own) return nullptr;
  return expected_error(answered_now(node, aggregate));
}

const char* charged_elsewhere(const ReleaseNode& node) {
  if (node.inner == nullptr || node.is_free() || node.reuse != nullptr) return nullptr;
  const char* const where = charges_text(charges_elsewhere(node.inner, node.inner_query));
  if (where == nullptr) return nullptr;
  const budget::Amount cost = node.price;
  const char* const delta = cost.delta > 0 ? psprintf(" and delta %s", budget::delta_decimal(cost.delta).text) : "";
  return psprintf("epsilon %s%s %s", budget::epsilon_decimal(cost.epsilon).text, delta, where);
}

void explain_release(ReleaseNode* node, ExplainState* es) {
  const Foretold price = pg::entry([node] { return foretold(node); });
  const budget::Amount cost = price_in(price);
  const auto put = [&price, es](const char* name, const char* amount) {
    ExplainPropertyText(name, price.at_most ? psprintf("at most %s", amount) : amount, es);
  };
  StringInfoData tables;
  initStringInfo(&tables);
  for (int i = 0; i < node->inner_query.protected_tables(); ++i) {
    appendStringInfo(&tables, "%s%s", i > 0 ? ", " : "", get_rel_name(node->inner_query.protected_table(i).relation));
  }
  ExplainPropertyText("Protected Table", tables.data, es);
  if (const char* const blocks = blocks_text(*node); blocks != nullptr) ExplainPropertyText("Charged", blocks, es);
  explain_servers(node->planned()->plan, es);
  if (const char* const owners = charged_elsewhere(*node); owners != nullptr)
    ExplainPropertyText("Also Charged", owners, es);
  if (node->inner_query.unit_text != nullptr) ExplainPropertyText("Privacy Unit", node->inner_query.unit_text, es);
  if (const char* const left_out = not_counted(node->inner_query); left_out != nullptr)
    ExplainPropertyText("Not Counted", left_out, es);
  put("Epsilon", budget::epsilon_decimal(cost.epsilon).text);
  if (const char* const price = pg::entry([=] { return price_by_default(node); }); price != nullptr)
    ExplainPropertyText("Epsilon of an Answer", price, es);
  if (cost.delta > 0) put("Delta", budget::delta_decimal(cost.delta).text);
  if (const budget::Amount& groups = node->inner_query.selection; !groups.zero())
    ExplainPropertyText(
        "Groups",
        psprintf("chosen privately at epsilon %s and delta %s within that, as nobody has said "
                 "group_epsilon: about every second one of %llu privacy units%s, larger ones more often",
                 budget::epsilon_decimal(groups.epsilon).text, budget::delta_decimal(groups.delta).text,
                 static_cast<unsigned long long>(node->groups->even_chance()),
                 node->inner_query.weighed ? " that are in no other" : ""),
        es);
  if (node->waits()) ExplainPropertyText("Asked First", "what it compares with, at its own price", es);
  if (node->reuse != nullptr) ExplainPropertyText("Reuse", text_of(*node->reuse), es);
  if (is_asked_anew(*node)) ExplainPropertyText("Asked Anew", "each time, as it holds now()", es);
  // For programs: people are shown a plan that is short.
  if (const auto groups = public_groups(*node); groups && es->format != EXPLAIN_FORMAT_TEXT)
    ExplainPropertyInteger("Public Groups", nullptr, *groups, es);
  if (List* const curves = curves_of(*node); curves != NIL) ExplainPropertyList("Running Totals", curves, es);
  if (List* const errors = expected_errors(node); errors != NIL) ExplainPropertyList("Expected Error", errors, es);
  if (node->inner_query.plain) {
    if (node->inner_query.aggregates != NIL)
      ExplainPropertyText("Private Form", joined(node->inner_query.aggregates), es);
    if (node->inner_query.bounds != NIL) ExplainPropertyText("Bounds", joined(node->inner_query.bounds), es);
  }
  if (List* const releases = releases_of(node->inner_query); releases != NIL)
    ExplainPropertyText("One Release", joined(releases, "; "), es);
  if (List* const choices = choices_of(node->inner_query); choices != NIL)
    ExplainPropertyText("One Choice of Limits", joined(choices, "; "), es);
  if (node->inner_query.fitted != nullptr) ExplainPropertyText("Consistent", node->inner_query.fitted, es);
  if (node->inner_query.failing != NIL) ExplainPropertyText("Errors as NULL", joined(node->inner_query.failing), es);
  // The inner plan tells of rows: of their number, and of how common the values are that conditions look for.
  if (!node->watched) explain_inner_query(node->inner, es);
}

}  // namespace dp::guard
