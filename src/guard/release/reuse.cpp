#include "guard/release/reuse.h"

#include <algorithm>
#include <span>

#include "budget/answers/shown_again.h"
#include "budget/ledger/counters.h"
#include "budget/ledger/ledger.h"
#include "budget/policy/publishing.h"
#include "budget/release/last_release.h"
#include "budget/release/locks.h"
#include "budget/release/relax.h"
#include "guard/inner/other_owners.h"
#include "guard/query/permissions.h"
#include "guard/query/settings.h"
#include "guard/release/group_curves.h"
#include "guard/release/needed_aggregates.h"
#include "guard/release/release_node.h"
#include "guard/release/reuse_steps.h"
#include "guard/release/stored_rows.h"
#include "guard/release/stored_sums.h"
#include "guard/reuse/known_questions.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

using budget::StoredAnswer;

template <class T>
T* array_of(int count) {
  return static_cast<T*>(palloc(sizeof(T) * static_cast<Size>(count + 1)));
}

// What the curators of all protected tables together allow; nothing where one of them has said nothing. What is being
// published is stored in any case, for the period that it is about.
std::optional<budget::AnswerPolicy> policy_of(const ReleaseNode& node) {
  if (budget::publishing() != nullptr) return budget::AnswerPolicy{PG_INT64_MAX, PG_INT64_MAX, PG_INT64_MAX, false};
  std::optional<budget::AnswerPolicy> least;
  for (int i = 0; i < node.inner_query.protected_tables(); ++i) {
    const auto policy = budget::answer_policy(node.inner_query.protected_table(i).relation);
    if (!policy) return std::nullopt;
    if (!least) least = policy;
    least->reuse = std::min(least->reuse, policy->reuse);
    least->keep = std::min(least->keep, policy->keep);
    least->shared = least->shared && policy->shared;
  }
  least->shared = least->shared && node.has_one_role();
  return least;
}

std::int64_t age_of(const StoredAnswer& answer) { return GetCurrentTimestamp() - answer.made_at; }

// By the clock alone; one that is put back makes nothing younger.
bool is_younger(const StoredAnswer& answer, std::int64_t age) {
  return budget::publishing() != nullptr || (age_of(answer) >= 0 && age_of(answer) < age);
}

// The stored answers to what is asked, then those to wider questions, of whatever age and role: a list of Reuse*, whose
// way is still to be found.
List* candidates_of(const Questions& questions) {
  List* candidates = NIL;
  const auto add = [&candidates](const budget::Question& question, bool filtered) {
    ListCell* cell;
    foreach (cell, budget::stored_answers(question)) {
      candidates = lappend(candidates, new (palloc(sizeof(Reuse))) Reuse{
                                           Reuse::Way::again, static_cast<StoredAnswer*>(lfirst(cell)), filtered});
    }
  };
  add(questions.asked, false);
  ListCell* cell;
  foreach (cell, questions.wider) add(*static_cast<budget::Question*>(lfirst(cell)), true);
  return candidates;
}

// Answers by more keys that are looked at, those that were stored last: about the same rows; and about more rows, by
// each set of conditions, of which hardly any is made of such keys.
constexpr int kMostSame = 100;
constexpr int kMostWider = 20;

// Appends the role's answers about these rows by more keys, of whatever age, that can be rolled up where the conditions
// hold.
void add_roll_ups(const ReleaseNode& node, std::string_view rows, List* conditions, List** roll_ups) {
  const Questions& questions = *node.questions;
  const Oid asker = asking_role(InvalidOid, node.css.ss.ps.state->es_plannedstmt);
  ListCell* cell;
  foreach (cell, budget::answers_about(rows, questions.asked, conditions == NIL ? kMostSame : kMostWider)) {
    const auto& one = *static_cast<budget::KeyedAnswer*>(lfirst(cell));
    if (one.answer->role != node.roles[0] || !can_be_summed(node, *one.answer)) continue;
    const RollUp* const way =
        roll_up(one.keys, node.inner_query, questions.by, conditions, asker, *node.groups, node.inner->estate);
    if (way == nullptr) continue;
    *roll_ups = lappend(*roll_ups, new (palloc(sizeof(Reuse))) Reuse{Reuse::Way::again, one.answer, false, way});
  }
}

// A list of Reuse*: first of the answers about the rows that are asked, then of those about more rows.
List* roll_ups_of(const ReleaseNode& node) {
  const Questions& questions = *node.questions;
  List* roll_ups = NIL;
  if (!questions.rolls) return NIL;
  add_roll_ups(node, text_of_rows(questions, node.inner_query, node.roles), NIL, &roll_ups);
  ListCell* cell;
  foreach (cell, wider_rows(questions, node.inner_query, node.roles)) {
    const auto& wider = *static_cast<const WiderRows*>(lfirst(cell));
    add_roll_ups(node, wider.text, wider.dropped, &roll_ups);
  }
  return roll_ups;
}

// By the curators' word and the session's.
std::int64_t age_of_reuse(const budget::AnswerPolicy& policy) {
  if (budget::publishing() != nullptr) return policy.reuse;
  return std::min(policy.reuse, reuse_setting().value_or(policy.reuse));
}

// Whether the role has a young answer by the keys that are asked.
bool holds_answer(const ReleaseNode& node, std::int64_t age) {
  ListCell* cell;
  foreach (cell, node.stored) {
    const auto& reuse = *static_cast<Reuse*>(lfirst(cell));
    if (reuse.answer->role == node.roles[0] && is_younger(*reuse.answer, age)) return true;
  }
  return false;
}

// Of the answers that are young enough the first that serves in the cheapest way.
const Reuse* find_reuse(const ReleaseNode& node, const budget::AnswerPolicy& policy) {
  const std::int64_t age = age_of_reuse(policy);
  const bool other_owners = reads_other_owners(node.planned()->plan, node.inner_query);
  for (const Reuse::Way way : {Reuse::Way::again, Reuse::Way::finer, Reuse::Way::shared}) {
    const bool own = way != Reuse::Way::shared;
    if (!own && !policy.shared) continue;
    // What is charged for an answer is charged elsewhere, too, where rows are read alone.
    if (way != Reuse::Way::again && other_owners) continue;
    if (way != Reuse::Way::again && budget::publishing() != nullptr) continue;
    // Levels cannot be written while workers run.
    if (way != Reuse::Way::again && (node.css.ss.ps.state->es_plannedstmt->parallelModeNeeded || IsInParallelMode()))
      continue;
    ListCell* cell;
    foreach (cell, node.stored) {
      Reuse reuse = *static_cast<Reuse*>(lfirst(cell));
      reuse.way = way;
      if ((reuse.answer->role == node.roles[0]) != own || !is_younger(*reuse.answer, age)) continue;
      if (reuse.roll_up != nullptr && way != Reuse::Way::again) continue;
      if (serves(node, reuse)) return new (palloc(sizeof(Reuse))) Reuse(reuse);
    }
  }
  return nullptr;
}

// The question for a period of a publication is one that nothing else asks; so is that of groups that are answered
// together, but that an answer to each by itself serves them.
const Questions& asked_apart(const ReleaseNode& node, const Questions& questions) {
  if (budget::publishing() != nullptr) return marked(questions, budget::mark_of(*budget::publishing()));
  if (node.curves == nullptr) return questions;
  Questions& own = marked(questions, node.curves->mark());
  own.wider = list_make1(const_cast<budget::Question*>(&questions.asked));
  return own;
}

const Questions& questions_of(const ReleaseNode& node) {
  const int count = node.gate->size();
  auto* const aggregates = array_of<AnsweredAggregate>(count);
  for (int i = 0; i < count; ++i) {
    const aggregate::Call& call = node.gate->call(i);
    aggregates[i] = {&call.mechanism, call.epsilon, call.form, node.gate->path_of(i)};
  }
  return asked_apart(node, questions_of_plan(node.inner_query, node.values, node.roles, *node.groups,
                                             {aggregates, static_cast<std::size_t>(count)}));
}

// ---- answering ------------------------------------------------------------------------------------------------------

// The question with what its aggregates were answered as, where limits were chosen meanwhile.
budget::Question as_answered(const ReleaseNode& node) {
  budget::Question question = *node.question;
  if (!node.inner_query.chooses_limits() && node.inner_query.open == NIL) return question;
  question.aggregates = array_of<budget::QuestionAggregate>(question.size);
  for (int i = 0; i < question.size; ++i) {
    const aggregate::Call& call = node.gate->call(i);
    question.aggregates[i] = node.question->aggregates[i];
    question.aggregates[i].form = call.form;
    question.aggregates[i].path = node.gate->path_of(i);
  }
  return question;
}

// What is stored of the node's answers, but for its rows.
StoredAnswer answer_of(const ReleaseNode& node, std::int64_t release, int part) {
  return {budget::new_answer_id(), node.made_at, node.roles[0], release, part, 0, as_answered(node), nullptr, true};
}

// What there is now of the aggregates that were needed: at which epsilon each was shown.
budget::Question reached(const StoredAnswer& answer, const NeededAggregates& needed, List* shown) {
  budget::Question question = answer.question;
  question.aggregates = array_of<budget::QuestionAggregate>(question.size);
  question.size = 0;
  for (int place = 0; place < needed.stored(); ++place) {
    if (!needed.has(place)) continue;
    budget::QuestionAggregate& now = question.aggregates[question.size++] = answer.question.aggregates[place];
    ListCell* cell;
    foreach (cell, shown) {
      const auto& one = *static_cast<budget::ShownAggregate*>(lfirst(cell));
      if (one.aggregate != place) continue;
      now.epsilon = one.epsilon;
      now.form = *budget::form_of(one);
    }
  }
  return question;
}

// By which the node's answer can be rolled up.
budget::QuestionKeys keys_of(const ReleaseNode& node) {
  const Questions& questions = *node.questions;
  if (!questions.disjoint) return {};
  return keys_to_store(node.inner_query, questions.by, *node.groups,
                       text_of_rows(questions, node.inner_query, node.roles));
}

// On a standby there is nowhere to write it, and a rehearsal shows it to nobody.
void note(const ReleaseNode& node, const StoredAnswer& answer) {
  if (RecoveryInProgress() || node.foretold) return;
  if (budget::publishing() != nullptr) return;
  const budget::FrozenWrites noted;
  budget::note_shown(answer.id, node.roles[0], answer.question.tables, node.query);
  noted.need_no_flush();
}

bool show_again(ReleaseNode* node) {
  const StoredAnswer& answer = *node->reuse->answer;
  const RollUp* const way = node->reuse->roll_up;
  if (way != nullptr) {
    if (!show_sums(node, answer, *way)) return false;
  } else {
    budget::AnswerReader reader(answer.id, answer.rows);
    if (!reader.complete()) return false;
    show_stored_rows(node, answer, &reader, NIL, nullptr, node->reuse->filtered);
  }
  if (!node->foretold) budget::count(&budget::Counters::reused, 1);
  note(*node, answer);
  return true;
}

// All rows of the answer are read before anything is charged, since others may forget it meanwhile.
bool show_other_levels(ReleaseNode* node) {
  const Reuse& reuse = *node->reuse;
  const StoredAnswer& answer = *reuse.answer;
  if (!stores_answers(*node)) return false;
  budget::AnswerReader reader(answer.id, answer.rows);
  if (!reader.complete()) return false;
  budget::ReleaseLock reading = budget::ReleaseLock::against_forgetting();
  const Steps steps = steps_of(*node, reuse);
  const auto prices = price(*node, reuse, steps);
  List* shown = NIL;
  if (prices && steps.wanted != NIL) {
    shown = budget::bring_to_levels(list_make1(steps.part), steps.wanted, node->roles[0], kind_of(reuse));
  }
  const bool possible = prices && (steps.wanted == NIL || shown != NIL);
  if (possible) {
    charge_others(*node, reuse, steps);
    if (*prices == NIL) note(*node, answer);
    node->made_at = answer.made_at;
    const NeededAggregates needed(*node, answer);
    StoredAnswer copy = answer_of(*node, answer.release, answer.part);
    RowsToStore rows(*node, copy.id, needed);
    show_stored_rows(node, answer, &reader, shown, &rows, reuse.filtered);
    copy.question = reached(answer, needed, shown);
    rows.finish(copy, reuse.filtered ? budget::QuestionKeys{} : keys_of(*node));
  }
  reading.release();
  return possible;
}

const char* age_text(std::int64_t age) {
  const std::int64_t minutes = age / USECS_PER_MINUTE;
  if (minutes < 2) return "a minute";
  if (minutes < 120) return psprintf("%d minutes", static_cast<int>(minutes));
  if (minutes < 48 * 60) return psprintf("%d hours", static_cast<int>(minutes / 60));
  return psprintf("%d days", static_cast<int>(minutes / (24 * 60)));
}

// The newest answer that the role holds, at whatever epsilon, as long as it is to be kept.
const Reuse* last_answer(const ReleaseNode& node) {
  if (node.question == nullptr) return nullptr;
  const auto policy = policy_of(node);
  ListCell* cell;
  foreach (cell, node.stored) {
    Reuse reuse = *static_cast<Reuse*>(lfirst(cell));
    reuse.way = Reuse::Way::last;
    if (policy && reuse.answer->role == node.roles[0] && is_younger(*reuse.answer, policy->keep))
      return new (palloc(sizeof(Reuse))) Reuse(reuse);
  }
  return nullptr;
}

}  // namespace

bool ReleaseNode::has_one_role() const {
  if (inner_query.partners == NIL) return true;
  for (int i = 1; i < inner_query.protected_tables(); ++i) {
    if (roles[i] != roles[0]) return false;
  }
  return true;
}

bool stores_answers(const ReleaseNode& node) { return policy_of(node).has_value(); }

bool may_be_answered_again(const ReleaseNode& node) {
  const auto policy = node.inner_query.question == nullptr ? std::nullopt : policy_of(node);
  return policy && (age_of_reuse(*policy) > 0 || shows_last_answers());
}

void look_for_answer(ReleaseNode* node) {
  if (node->inner_query.question == nullptr || node->is_free()) return;
  const auto policy = policy_of(*node);
  if (!policy) return;
  const Questions& questions = questions_of(*node);
  node->questions = &questions;
  node->question = new (palloc(sizeof(budget::Question))) budget::Question(questions.asked);
  node->stored = candidates_of(questions);
  node->reuse = find_reuse(*node, *policy);
  // Who holds an answer by these keys and asks for a finer one is not given sums, which may be coarser.
  if (node->reuse != nullptr || holds_answer(*node, age_of_reuse(*policy))) return;
  node->stored = list_concat(node->stored, roll_ups_of(*node));
  node->reuse = find_reuse(*node, *policy);
}

List* charges_of_reuse(const ReleaseNode& node) {
  const auto prices = price(node, *node.reuse, steps_of(node, *node.reuse));
  if (prices && *prices != NIL) return *prices;
  return node.entries("reuse", {}, {}, node.reuse->answer->release);
}

// An answer that is no longer there to be made finer, where another part of the statement or another session has made
// it finer still: that one serves as it is.
static bool show_newer(ReleaseNode* node) {
  MemoryContext const outer = MemoryContextSwitchTo(node->css.ss.ps.state->es_query_cxt);
  node->reuse = nullptr;
  pg::entry([=] { look_for_answer(node); });
  MemoryContextSwitchTo(outer);
  return node->reuse != nullptr && node->reuse->way == Reuse::Way::again && show_again(node);
}

bool answer_again(ReleaseNode* node) {
  const bool as_it_is = node->reuse->way == Reuse::Way::again || node->reuse->way == Reuse::Way::last;
  if (as_it_is ? !show_again(node) : !show_other_levels(node) && !show_newer(node)) return false;
  if (!node->foretold) budget::set_last_release(node->reuse->answer->release);
  return true;
}

std::int64_t store_answer_of(ReleaseNode* node, std::int64_t release, int part) {
  if (node->question == nullptr) return 0;
  if (!stores_answers(*node)) return 0;
  const budget::FrozenWrites stored;
  const StoredAnswer answer = answer_of(*node, release, part);
  RowsToStore rows(*node, answer.id);
  const noise::Int128View noisy = node->gate->noisy();
  auto* const kept = array_of<noise::Int128>(static_cast<int>(noisy.size));
  node->answers->rewind();
  for (TupleTableSlot* row = node->answers->next(true); !TupIsNull(row); row = node->answers->next(true)) {
    slot_getallattrs(row);
    node->answers->noisy_of(row, kept);
    rows.put(row, {kept, noisy.size});
  }
  rows.finish(answer, keys_of(*node));
  stored.need_no_flush();
  return answer.id;
}

bool show_last_answers(List* nodes) {
  List* lasts = NIL;
  ListCell *cell, *last;
  foreach (cell, nodes) {
    const auto* const node = static_cast<ReleaseNode*>(lfirst(cell));
    const bool pays = !node->costs_nothing();
    const Reuse* const reuse = pays ? last_answer(*node) : node->reuse;
    if (pays && reuse == nullptr) return false;
    lasts = lappend(lasts, const_cast<Reuse*>(reuse));
  }
  forboth(cell, nodes, last, lasts) static_cast<ReleaseNode*>(lfirst(cell))->reuse =
      static_cast<const Reuse*>(lfirst(last));
  return true;
}

void warn_of_last_answers(List* nodes) {
  std::int64_t age = 0;
  ListCell* cell;
  foreach (cell, nodes) {
    const Reuse* const reuse = static_cast<ReleaseNode*>(lfirst(cell))->reuse;
    if (reuse != nullptr && reuse->way == Reuse::Way::last) age = std::max(age, age_of(*reuse->answer));
  }
  if (age == 0) return;
  ereport(WARNING, (errmsg("the privacy budget is exhausted: the answer shown is the last one to this question, %s old",
                           age_text(age)),
                    errhint("SET dp.on_exhausted = 'error' to get an error instead.")));
}

const char* text_of(const Reuse& reuse) {
  switch (reuse.way) {
    case Reuse::Way::again:
      if (reuse.roll_up != nullptr && reuse.roll_up->groups != nullptr)
        return "sums of those groups of an answer by more keys are shown in which the conditions hold";
      if (reuse.roll_up != nullptr) return "sums of the groups of an answer by more keys are shown";
      if (reuse.filtered) return "groups of the answer to a wider question are shown again";
      if (!reuse.answer->has_all) return "what an answer about the same columns says is shown";
      return "the answer to the same question is shown again";
    case Reuse::Way::finer:
      if (reuse.filtered) return "the answer to a wider question is made more accurate";
      if (!reuse.answer->has_all) return "an answer about the same columns is made more accurate";
      return "the answer to the same question is made more accurate";
    case Reuse::Way::shared:
      return "the answer of another role: the table pays no more than nobody has paid yet";
    case Reuse::Way::last:
      return "the last answer to the same question";
  }
  pg_unreachable();
}

}  // namespace dp::guard
