#include "guard/tree/valid_tree.h"

#include "guard/tree/fault.h"
#include "guard/tree/tree_check.h"

namespace dp::guard {

const char* fault_of_tree(const Query* tree, const TreeAround& around) {
  TreeCheck check(around);
  return check.of_tree(tree);
}

const char* fault_of_parameters(const List* parameters, int answers) {
  TreeCheck check(TreeAround{});
  return check.of_parameters(parameters, answers);
}

void require_valid(const Query* tree, const TreeAround& around, const char* step) {
  if (const char* const fault = fault_of_tree(tree, around)) raise_tree_fault(psprintf("%s (%s)", fault, step));
}

void require_valid_parameters(const List* parameters, int answers, const char* step) {
  if (const char* const fault = fault_of_parameters(parameters, answers))
    raise_tree_fault(psprintf("%s (%s)", fault, step));
}

}  // namespace dp::guard
