#include "guard/forms/admitted_form.h"

#include "guard/admission/admission.h"
#include "guard/admission/values.h"
#include "guard/forms/total_forms.h"

namespace dp::guard {

Node* admitted_form(Node* expression, const char* place, InnerQuery* what, Node** total) {
  if (total != nullptr) *total = nullptr;
  if (expression == nullptr) return nullptr;
  List* tried = NIL;
  Node* const form = with_total_forms(expression, &tried, &what->failing);
  if (total != nullptr) *total = static_cast<Node*>(copyObjectImpl(form));
  Node* const admitted = admit(form, place, what);
  if (tried != NIL) try_at_start(tried, place, what);
  return admitted;
}

}  // namespace dp::guard
