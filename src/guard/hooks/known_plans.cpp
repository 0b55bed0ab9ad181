#include "guard/hooks/known_plans.h"

#include <cstring>

#include "budget/catalog/known_rows.h"
#include "guard/query/permissions.h"
#include "guard/query/settings.h"
#include "pg/catalog.h"
#include "pg/execution.h"

namespace dp::guard {
namespace {

constexpr int kPlans = 8;
constexpr std::size_t kTexts = 64;
constexpr int kMilliseconds = 60'000;  // the sizes of tables, which a plan goes by, change without a word
constexpr int kMostSettings = 1024;
constexpr int kMostText = 10'000;

// Who asks, and under which settings.
struct Circumstances {
  Oid user;
  Oid outer_user;
  Oid session_user;
  int restrictions;
  int options;
  std::uint64_t settings;
  std::uint64_t changes;

  bool operator==(const Circumstances&) const = default;
};

// What a plan that is kept lies in, as long as it is kept or runs.
struct Room {
  MemoryContext memory;  // of this, too
  int users;             // memory contexts in which the plan was given to somebody
  bool forgotten;        // it goes with the last of them
};

struct KnownPlan {
  Room* room;          // of what follows; nullptr: there is none
  std::uint64_t text;  // its sum
  int location;        // of the statement in the text
  Query* query;
  PlannedStmt* plan;
  Circumstances when;
  TimestampTz made_at;
};

KnownPlan known[kPlans];
int next_place = 0;
std::uint64_t asked_once[kTexts];  // sums of texts of private queries

void mix(std::uint64_t* sum, std::uint64_t value) { *sum = (*sum ^ value) * 0x9E3779B97F4A7C15 + (*sum >> 29); }

template <class Value>
void mix_value(std::uint64_t* sum, Value value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  mix(sum, bits);
}

void mix_setting(std::uint64_t* sum, const config_generic* record) {
  const auto* const any = static_cast<const void*>(record);
  switch (record->vartype) {
    case PGC_BOOL:
      return mix_value(sum, *static_cast<const config_bool*>(any)->variable);
    case PGC_INT:
      return mix_value(sum, *static_cast<const config_int*>(any)->variable);
    case PGC_REAL:
      return mix_value(sum, *static_cast<const config_real*>(any)->variable);
    case PGC_ENUM:
      return mix_value(sum, *static_cast<const config_enum*>(any)->variable);
    case PGC_STRING:
      for (const char* at = *static_cast<const config_string*>(any)->variable; at != nullptr && *at != '\0'; ++at)
        mix(sum, static_cast<unsigned char>(*at));
  }
}

// Placeholders of libraries that are not loaded are freed once they are, and no plan goes by what they hold.
bool may_change_plans(const config_generic* record) {
  return record->context >= PGC_SU_BACKEND && (record->flags & GUC_CUSTOM_PLACEHOLDER) == 0;
}

// Of all settings that a session can change and that do not stand at the server's default.
std::uint64_t settings_sum() {
  static config_generic* records[kMostSettings];
  static int count = 0;
  if (count == 0) {
    pg::visit_variables([](config_generic* record) {
      if (may_change_plans(record) && count < kMostSettings) records[count++] = record;
    });
  }
  std::uint64_t sum = 1;
  for (int i = 0; i < count; ++i) {
    if (records[i]->source == PGC_S_DEFAULT) continue;
    mix(&sum, static_cast<std::uint64_t>(i));
    mix_setting(&sum, records[i]);
  }
  return sum;
}

Circumstances circumstances(int options) {
  Circumstances now{};
  GetUserIdAndSecContext(&now.user, &now.restrictions);
  now.outer_user = GetOuterUserId();
  now.session_user = GetSessionUserId();
  now.options = options;
  now.settings = settings_sum();
  now.changes = budget::heard().changes;
  return now;
}

bool may_be_known(const AskedPlan& asked) {
  return asked.text != nullptr && asked.parameters == nullptr && asked.query->commandType == CMD_SELECT &&
         planning_role(InvalidOid) == GetUserId() && !previews_are_empty() && !IsParallelWorker();
}

// A text with a blank in the place of each byte of its comments. What looks like one within quotes is taken for one,
// too: whether two queries are the same their trees say.
class WithoutComments {
 public:
  explicit WithoutComments(const char* text) : at_(text) {}

  char next() {
    if (*at_ == '\0') return '\0';
    if (end_ <= at_) end_ = end_of_comment();
    return at_++ < end_ ? ' ' : at_[-1];
  }

 private:
  // `at_` where no comment begins there.
  const char* end_of_comment() const {
    const bool block = at_[0] == '/' && at_[1] == '*';
    if (!block && (at_[0] != '-' || at_[1] != '-')) return at_;
    const char* const last = block ? std::strstr(at_ + 2, "*/") : std::strchr(at_, '\n');
    if (last == nullptr) return at_ + std::strlen(at_);
    return block ? last + 2 : last;
  }

  const char* at_;
  const char* end_ = nullptr;  // of the comment that `at_` is in
};

bool is_blank(char byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r' || byte == ';'; }

// The same number for texts that differ in comments alone, or in blanks behind the statement, so that everything stands
// at the same place: programs put the number of a request into a comment.
std::uint64_t text_sum(const char* text) {
  WithoutComments bytes(text);
  std::uint64_t sum = 1, last = 1;
  int count = 0;
  for (char byte = bytes.next(); byte != '\0' && count < kMostText; byte = bytes.next(), ++count) {
    sum = (sum ^ static_cast<unsigned char>(byte)) * 0x100000001B3;
    if (!is_blank(byte)) last = sum;
  }
  return last;
}

KnownPlan* find(const AskedPlan& asked) {
  if (!may_be_known(asked)) return nullptr;
  for (KnownPlan& one : known) {
    if (one.room != nullptr && one.text == asked.text_sum && one.location == asked.query->stmt_location) return &one;
  }
  return nullptr;
}

void leave(void* opaque) {
  auto* const room = static_cast<Room*>(opaque);
  if (--room->users == 0 && room->forgotten) MemoryContextDelete(room->memory);
}

// For as long as what the planner itself allocates here.
void enter(Room* room) {
  auto* const at_end = static_cast<MemoryContextCallback*>(palloc(sizeof(MemoryContextCallback)));
  *at_end = {leave, room, nullptr};
  MemoryContextRegisterResetCallback(CurrentMemoryContext, at_end);
  ++room->users;
}

void forget(KnownPlan* one) {
  Room* const room = one->room;
  *one = {};
  if (room == nullptr) return;
  room->forgotten = true;
  if (room->users == 0) MemoryContextDelete(room->memory);
}

void lock(const PlannedStmt* plan) {
  ListCell* cell;
  foreach (cell, plan->rtable) {
    const auto* const entry = lfirst_node(RangeTblEntry, cell);
    if (entry->rtekind == RTE_RELATION) LockRelationOid(entry->relid, entry->rellockmode);
  }
}

}  // namespace

AskedPlan asked_plan(const Query* query, const char* text, int options, ParamListInfo parameters) {
  return {query, text, text == nullptr ? 0 : text_sum(text), options, parameters, budget::heard().changes};
}

PlannedStmt* find_known_plan(const AskedPlan& asked) {
  const KnownPlan* const one = find(asked);
  if (one == nullptr) return nullptr;
  one->query->stmt_len = asked.query->stmt_len;  // a comment counts
  if (TimestampDifferenceExceeds(one->made_at, GetCurrentStatementStartTimestamp(), kMilliseconds)) return nullptr;
  if (!(one->when == circumstances(asked.options)) || !equal(one->query, asked.query)) return nullptr;
  // Not a copy of the whole: like a plan that the plan cache keeps it is only read.
  auto* const plan = makeNode(PlannedStmt);
  *plan = *one->plan;
  enter(one->room);
  lock(plan);
  if (one->when.changes != budget::heard().changes) return nullptr;  // which was heard of with the locks
  plan->queryId = asked.query->queryId;
  plan->stmt_len = asked.query->stmt_len;
  return plan;
}

Query* copy_to_keep(const AskedPlan& asked) {
  if (!may_be_known(asked) || asked_once[asked.text_sum % kTexts] != asked.text_sum) return nullptr;
  return static_cast<Query*>(copyObjectImpl(asked.query));
}

void keep_plan(const AskedPlan& asked, const Query* copy, const PlannedStmt* plan) {
  if (!may_be_known(asked) || std::strlen(asked.text) > kMostText || plan->transientPlan) return;
  asked_once[asked.text_sum % kTexts] = asked.text_sum;
  if (copy == nullptr || asked.changes != budget::heard().changes) return;
  MemoryContext const memory = AllocSetContextCreate(CurrentMemoryContext, "pg_dp plan", ALLOCSET_SMALL_SIZES);
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  const KnownPlan fresh{new (palloc(sizeof(Room))) Room{memory, 0, false},
                        asked.text_sum,
                        asked.query->stmt_location,
                        static_cast<Query*>(copyObjectImpl(copy)),
                        static_cast<PlannedStmt*>(copyObjectImpl(plan)),
                        circumstances(asked.options),
                        GetCurrentStatementStartTimestamp()};
  MemoryContextSwitchTo(outer);
  KnownPlan* place = find(asked);
  if (place == nullptr) {
    place = &known[next_place];
    next_place = (next_place + 1) % kPlans;
  }
  forget(place);
  MemoryContextSetParent(memory, CacheMemoryContext);
  *place = fresh;
}

}  // namespace dp::guard
