#include "budget/catalog/changed_objects.h"

namespace dp::budget {
namespace {

object_access_hook_type next_hook = nullptr;
object_access_hook_type told[2];
int count = 0;

void on_access(ObjectAccessType access, Oid class_id, Oid object, int column, void* arguments) {
  if (next_hook != nullptr) next_hook(access, class_id, object, column, arguments);
  if (access != OAT_DROP && access != OAT_POST_ALTER && access != OAT_POST_CREATE) return;
  for (int i = 0; i < count; ++i) told[i](access, class_id, object, column, arguments);
}

}  // namespace

void on_change(object_access_hook_type tell) {
  Assert(count < static_cast<int>(lengthof(told)));
  if (count == 0) {
    next_hook = object_access_hook;
    object_access_hook = on_access;
  }
  told[count++] = tell;
}

}  // namespace dp::budget
