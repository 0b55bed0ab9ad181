#include "guard/tree/by_number.h"

#include "guard/tree/fault.h"

namespace dp::guard {
namespace {

[[noreturn]] void refuse(const char* what, int number, const List* list) {
  raise_tree_fault(psprintf("%s %d of %d is read", what, number, list_length(list)));
}

}  // namespace

void refuse_entry(int number, const List* entries) {
  if (at_number(number, entries) == nullptr) refuse("entry", number, entries);
  raise_tree_fault("an entry of a range table is none");
}

void refuse_target(const List* targets, int number) {
  const auto* const entry = static_cast<const TargetEntry*>(at_number(number, targets));
  if (entry == nullptr) refuse("target entry", number, targets);
  if (!IsA(entry, TargetEntry)) raise_tree_fault("an entry of a target list is none");
  raise_tree_fault(psprintf("target entry %d stands in place %d", entry->resno, number));
}

char* column_name(const RangeTblEntry* entry, int number) {
  if (entry->eref == nullptr) raise_tree_fault("the name of a column is read of an entry that has none");
  void* const name = at_number(number, entry->eref->colnames);
  if (name == nullptr) refuse("name of column", number, entry->eref->colnames);
  return strVal(name);
}

}  // namespace dp::guard
