#include "guard/release/published.h"

#include "budget/answers/answer_hashes.h"
#include "budget/catalog/durable.h"
#include "budget/catalog/unique_indexes.h"
#include "budget/policy/publishing.h"
#include "budget/publish/drawn.h"
#include "core/mechanism/mechanism_text.h"
#include "guard/inner/other_owners.h"
#include "guard/release/reuse.h"
#include "guard/release/running_totals.h"
#include "pg/errors.h"

namespace dp::guard {
namespace {

[[noreturn]] void refuse_total(const char* what, const char* hint) {
  ereport(ERROR,
          (errcode(pg::kNotAdmissible), errmsg("running totals cannot be published: %s", what), errhint("%s", hint)));
  pg_unreachable();
}

void append_number(StringInfo text, noise::Uint128 number) {
  appendStringInfo(text, " %llx.%llx", static_cast<unsigned long long>(number >> 64),
                   static_cast<unsigned long long>(number));
}

// What a row changes of each number, and how much noise hides that. Numbers of other periods are added to it, and what
// the first period has paid is for all of them: epsilon may come from a setting, a bound from an account.
const char* asked_of(const ReleaseNode& node) {
  const budget::Cost& cost = node.price;
  StringInfoData text;
  initStringInfo(&text);
  appendStringInfo(&text, "costs %lld %lld", static_cast<long long>(cost.epsilon), static_cast<long long>(cost.delta));
  for (int i = 0; i < node.gate->size(); ++i) {
    const aggregate::Call& call = node.gate->call(i);
    const aggregate::Form& form = call.form;
    pg::entry([&] {
      const std::string mechanism = mechanism::format(call.calibration.mechanism);
      pg::call([&] { appendStringInfo(&text, "; %s", mechanism.c_str()); });
    });
    appendStringInfo(&text, " %llu", static_cast<unsigned long long>(call.epsilon.nano));
    append_number(&text, call.changes.l1);
    append_number(&text, call.changes.l2);
    appendStringInfo(&text, " of %d: %u %d %.17g %lld", static_cast<int>(form.kind), form.refinement, form.exponent,
                     form.lower, static_cast<long long>(form.range));
  }
  return text.data;
}

// Whether no privacy unit has two rows of the table. One of which a question counts a row in each period, as a person,
// has rows in many.
bool has_a_row_each(Oid relation) {
  const auto protection = budget::protection_of(relation);
  if (!protection || !protection->unit.declared()) return true;
  const AttrNumber column = protection->unit.steps == NIL ? get_attnum(relation, protection->unit.path) : 0;
  return column > 0 && OidIsValid(budget::unique_index(relation, column, true));
}

void require_total(const ReleaseNode& node, int nodes, budget::Publishing* now) {
  const InnerQuery& asked = node.inner_query;
  // Dates lie in other periods by another one. Triggers of the published table have run by now.
  if (strcmp(pg_get_timezone_name(session_timezone), "UTC") != 0)
    refuse_total("a time zone was set meanwhile", "Take that out of the triggers of the published table.");
  if (nodes != 1 || strcmp(node.query, now->statement) != 0)
    refuse_total("more than one private question is asked", "Publish each by itself.");
  if (asked.protected_tables() != 1 || asked.first.table != now->relation)
    refuse_total("several protected tables are read", "Publish totals of one table.");
  if (asked.limits != NIL || asked.open != NIL || asked.unit.rows != 1 || !has_a_row_each(asked.first.relation))
    refuse_total(
        "a privacy unit may have rows in many periods",
        "Totals are for tables of which each row is a privacy unit, or has one of its own. Publish the numbers of "
        "each period: running => false.");
  if (asked.errors != NIL)
    refuse_total("dp_error is that of a single answer", "How far totals may be off stands in dp.publications.");
  if (asked.count_column > 0 || !node.groups->are_public() || node.answers_by_group())
    refuse_total("its groups are not public", "Declare them: SELECT dp.public_values('visits', 'ward', ...);");
  const auto protection = budget::protection_of(asked.first.table);
  if (protection && (protection->blocks || protection->limit.period.exists()))
    refuse_total("the table has a budget for each partition or period, and totals are charged once",
                 "Publish the numbers of each period: running => false.");
  const budget::Payer payer = budget::payer_of(asked.first.relation, node.roles[0]);
  if (payer.limit && payer.limit->period.exists())
    refuse_total("the account has a budget for each period, and totals are charged once",
                 "Publish the numbers of each period: running => false.");
  if (budget::was_drawn()) {
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("the totals of this period were drawn before, and are not stored any more"),
                    errdetail("The query means something else since then, or its answers were forgotten."),
                    errhint("Begin anew: dp.unpublish(), then dp.publish() with another name.")));
  }
  now->asked = asked_of(node);
  if (!budget::are_as_drawn({now->relation, now->asked})) {
    ereport(
        ERROR,
        (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
         errmsg("these totals are not of the table, or not with the noise, that the first period has paid for"),
         errdetail("A setting, an account, or a name that the query looks up has changed since then."),
         errhint(
             "Change it back. If that cannot be, begin anew: dp.unpublish(), then dp.publish() with another name.")));
  }
}

void require_published(const ReleaseNode& node, int nodes) {
  if (node.question == nullptr || IsInParallelMode()) {
    ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                    errmsg("a private question cannot be published from within a parallel plan or a function that has "
                           "asked before"),
                    errhint("Write the question into the query of the publication itself.")));
  }
  if (charges_elsewhere(node.inner, node.inner_query) != NIL) {
    ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                    errmsg("rows of another owner are charged on that owner's server, and not published from here"),
                    errhint("Let that owner publish them, or ask dp.publish() of a table of your own.")));
  }
  if (budget::Publishing* const now = budget::publishing(); now->running) require_total(node, nodes, now);
}

}  // namespace

void pay_published(const ReleaseNode& node, int nodes, List* charges) {
  require_published(node, nodes);
  budget::pay_for_period(budget::entries_of(charges));
}

void store_published(ReleaseNode* node) {
  const budget::FrozenWrites stored;
  node->stored_answer = true;
  const std::int64_t answer = store_answer_of(node, 0, 0);
  if (answer == 0) elog(ERROR, "an answer that is published was not stored");
  Datum errors = 0;
  if (node->totals != nullptr) {
    node->totals->store(answer);
    errors = node->totals->errors();
  }
  budget::note_drawn(answer, budget::hash_of(node->question->text), errors);
  stored.flush({"charged", "Nothing was published. The next attempt pays nothing for it."});
}

}  // namespace dp::guard
