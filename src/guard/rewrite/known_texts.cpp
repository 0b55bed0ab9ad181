#include "guard/rewrite/known_texts.h"

#include <cstring>

#include "budget/catalog/known_rows.h"
#include "pg/catalog.h"
#include "pg/deparse.h"

namespace dp::guard {
namespace {

constexpr int kTexts = 8;
constexpr std::size_t kLongest = 200;  // of a text, and of search_path

// What is called how, and how constants are written. A path decides whether a name needs its schema.
struct Circumstances {
  std::uint64_t changes;
  Oid user;
  int float_digits;
  bool quotes_all;
  bool plain_backslashes;
  char path[kLongest];
};

struct KnownText {
  Node* call;
  char* text;
};

Circumstances when;
MemoryContext memory = nullptr;  // of the calls and texts; nullptr: there are none
KnownText known[kTexts];
int count = 0;
std::uint64_t casts = 0;  // how often one was changed: they decide which function a name means

void change_cast(Datum, int, uint32) { ++casts; }

void forget_all() {
  count = 0;
  if (memory != nullptr) MemoryContextReset(memory);
}

// Whether all that is known was written as it would be written now.
bool holds(std::uint64_t changes) {
  return count > 0 && when.changes == changes && when.user == GetUserId() && when.float_digits == extra_float_digits &&
         when.quotes_all == quote_all_identifiers && when.plain_backslashes == standard_conforming_strings &&
         std::strcmp(when.path, namespace_search_path) == 0;
}

// Constants of other types are written with the names of these, or as their settings say.
bool is_plain_type(Oid type) {
  return type == UNKNOWNOID || type == TEXTOID || type == INT4OID || type == FLOAT8OID || type == NUMERICOID;
}

bool is_unknown_part(Node* node, void*) {
  if (node == nullptr) return false;
  switch (nodeTag(node)) {
    case T_Const:
      return !is_plain_type(castNode(Const, node)->consttype);
    case T_FuncExpr:
      return castNode(FuncExpr, node)->funcformat != COERCE_IMPLICIT_CAST ||
             !IsA(linitial(castNode(FuncExpr, node)->args), Const) ||
             is_unknown_part(static_cast<Node*>(linitial(castNode(FuncExpr, node)->args)), nullptr);
    case T_Aggref:
    case T_TargetEntry:
    case T_List:
      return pg::walk(node, is_unknown_part, nullptr);
    default:
      return true;
  }
}

}  // namespace

std::uint64_t changes_of_texts() {
  static bool registered = false;
  if (!registered) {
    CacheRegisterSyscacheCallback(CASTSOURCETARGET, change_cast, 0);
    registered = true;
  }
  return budget::catalog_version().changes + casts;
}

char* known_text(Node* call) {
  if (!holds(changes_of_texts())) return nullptr;
  for (int i = 0; i < count; ++i) {
    if (equal(known[i].call, call)) return pstrdup(known[i].text);
  }
  return nullptr;
}

void keep_text(Node* call, const char* text, std::uint64_t since) {
  if (since != changes_of_texts() || is_unknown_part(call, nullptr) || std::strlen(text) >= kLongest) return;
  if (std::strlen(namespace_search_path) >= kLongest) return;
  if (memory == nullptr) memory = AllocSetContextCreate(CacheMemoryContext, "pg_dp texts", ALLOCSET_SMALL_SIZES);
  if (count == kTexts || !holds(since)) forget_all();
  MemoryContext const outer = MemoryContextSwitchTo(memory);
  const KnownText fresh{static_cast<Node*>(copyObjectImpl(call)), pstrdup(text)};
  MemoryContextSwitchTo(outer);
  when = {since, GetUserId(), extra_float_digits, quote_all_identifiers, standard_conforming_strings, {}};
  std::strcpy(when.path, namespace_search_path);
  known[count++] = fresh;
}

}  // namespace dp::guard
