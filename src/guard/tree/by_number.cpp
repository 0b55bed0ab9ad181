#include "guard/tree/by_number.h"

#include "guard/tree/fault.h"

namespace dp::guard {
namespace {

void* at(const List* list, int number, const char* what) {
  if (number < 1 || number > list_length(list))
    raise_tree_fault(psprintf("%s %d of %d is read", what, number, list_length(list)));
  return list_nth(list, number - 1);
}

}  // namespace

RangeTblEntry* entry_numbered(int number, const List* entries) {
  auto* const entry = static_cast<RangeTblEntry*>(at(entries, number, "entry"));
  if (!IsA(entry, RangeTblEntry)) raise_tree_fault("an entry of a range table is none");
  return entry;
}

TargetEntry* target_numbered(const List* targets, int number) {
  auto* const entry = static_cast<TargetEntry*>(at(targets, number, "target entry"));
  if (!IsA(entry, TargetEntry)) raise_tree_fault("an entry of a target list is none");
  if (entry->resno != number) raise_tree_fault(psprintf("target entry %d stands in place %d", entry->resno, number));
  return entry;
}

char* column_name(const RangeTblEntry* entry, int number) {
  if (entry->eref == nullptr) raise_tree_fault("the name of a column is read of an entry that has none");
  return strVal(at(entry->eref->colnames, number, "name of column"));
}

}  // namespace dp::guard
