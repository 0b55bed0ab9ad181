#include "guard/hooks/known_plans.h"

#include <cstring>
#include <utility>

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
constexpr int kMostText = 10'000;

// Who asks, and under which settings.
struct Circumstances {
  Oid user;
  Oid outer_user;
  Oid session_user;
  int restrictions;
  int options;
  std::uint64_t changes;
  const bytea* settings;  // as settings_now() has them

  bool operator==(const Circumstances& other) const {
    return user == other.user && outer_user == other.outer_user && session_user == other.session_user &&
           restrictions == other.restrictions && options == other.options && changes == other.changes &&
           VARSIZE(settings) == VARSIZE(other.settings) &&
           std::memcmp(settings, other.settings, VARSIZE(settings)) == 0;
  }
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

template <class Value>
void append(StringInfo bytes, const Value& value) {
  appendBinaryStringInfo(bytes, reinterpret_cast<const char*>(&value), sizeof value);
}

void append_value(StringInfo bytes, const config_generic* record) {
  const auto* const any = static_cast<const void*>(record);
  switch (record->vartype) {
    case PGC_BOOL:
      return append(bytes, *static_cast<const config_bool*>(any)->variable);
    case PGC_INT:
      return append(bytes, *static_cast<const config_int*>(any)->variable);
    case PGC_REAL:
      return append(bytes, *static_cast<const config_real*>(any)->variable);
    case PGC_ENUM:
      return append(bytes, *static_cast<const config_enum*>(any)->variable);
    case PGC_STRING: {
      const char* const value = *static_cast<const config_string*>(any)->variable;
      const std::size_t size = value == nullptr ? 0 : std::strlen(value) + 1;
      append(bytes, size);
      appendBinaryStringInfo(bytes, value == nullptr ? "" : value, static_cast<int>(size));
    }
  }
}

// Placeholders of libraries that are not loaded are freed once they are, and no plan goes by what they hold.
bool may_change_plans(const config_generic* record) {
  return record->context >= PGC_SU_BACKEND && (record->flags & GUC_CUSTOM_PLACEHOLDER) == 0;
}

// All that a session can change. A library that is loaded later brings others, and may take places of placeholders.
const List* changeable_settings() {
  static List* records = NIL;
  static Size of_libraries = 0;
  const Size libraries = EstimateLibraryStateSpace();  // grows with each that is loaded; none ever goes
  if (records != NIL && libraries == of_libraries) return records;
  MemoryContext const outer = MemoryContextSwitchTo(TopMemoryContext);
  list_free(std::exchange(records, NIL));
  pg::visit_variables([](config_generic* record) {
    if (may_change_plans(record)) records = lappend(records, record);
  });
  MemoryContextSwitchTo(outer);
  of_libraries = libraries;
  return records;
}

// Those of them that do not stand at the server's default, each with its value: whole, since a sum of values that an
// asker chooses could be that of others.
const bytea* settings_now() {
  StringInfoData bytes;
  initStringInfo(&bytes);
  appendStringInfoSpaces(&bytes, VARHDRSZ);
  ListCell* cell;
  foreach (cell, changeable_settings()) {
    const auto* const record = static_cast<const config_generic*>(lfirst(cell));
    if (record->source == PGC_S_DEFAULT) continue;
    append(&bytes, record);
    append_value(&bytes, record);
  }
  auto* const settings = reinterpret_cast<bytea*>(bytes.data);
  SET_VARSIZE(settings, bytes.len);
  return settings;
}

Circumstances circumstances(int options) {
  Circumstances now{};
  GetUserIdAndSecContext(&now.user, &now.restrictions);
  now.outer_user = GetOuterUserId();
  now.session_user = GetSessionUserId();
  now.options = options;
  now.settings = settings_now();
  now.changes = budget::catalog_version().changes;
  return now;
}

bool may_be_known(const Query* query, const char* text, ParamListInfo parameters) {
  return text != nullptr && parameters == nullptr && query->commandType == CMD_SELECT &&
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
  if (!asked.may_be_known) return nullptr;
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
  const bool known = may_be_known(query, text, parameters);
  return {query, text, known, known ? text_sum(text) : 0, options, parameters, budget::catalog_version().changes};
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
  if (one->when.changes != budget::catalog_version().changes) return nullptr;  // which was heard of with the locks
  plan->queryId = asked.query->queryId;
  plan->stmt_len = asked.query->stmt_len;
  return plan;
}

Query* copy_to_keep(const AskedPlan& asked) {
  if (!asked.may_be_known || asked_once[asked.text_sum % kTexts] != asked.text_sum) return nullptr;
  return static_cast<Query*>(copyObjectImpl(asked.query));
}

void keep_plan(const AskedPlan& asked, const Query* copy, const PlannedStmt* plan) {
  if (!asked.may_be_known || std::strlen(asked.text) > kMostText || plan->transientPlan) return;
  asked_once[asked.text_sum % kTexts] = asked.text_sum;
  if (copy == nullptr || asked.changes != budget::catalog_version().changes) return;
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
