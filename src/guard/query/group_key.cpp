#include "guard/query/group_key.h"

#include "pg/server.h"

namespace dp::guard {

GroupKey* GroupKey::copy() const {
  auto* const copied = new (palloc(sizeof(GroupKey))) GroupKey(*this);
  copied->name = pstrdup(name);
  copied->text = pstrdup(text);
  copied->image = static_cast<List*>(copyObjectImpl(image));
  copied->row = static_cast<List*>(copyObjectImpl(row));
  return copied;
}

List* GroupKey::as_list() const {
  Assert(subquery == 0 && row == NIL);
  return list_make5(makeString(pstrdup(name)), makeString(pstrdup(text)),
                    list_make5_oid(table, subject, type, collation, policy),
                    list_make3_int(column, least, static_cast<int>(nulls)), image);
}

GroupKey* GroupKey::of(const List* list) {
  const auto* const oids = static_cast<List*>(lthird(list));
  const auto* const numbers = static_cast<List*>(lfourth(list));
  return new (palloc(sizeof(GroupKey))) GroupKey{.name = strVal(linitial(list)),
                                                 .text = strVal(lsecond(list)),
                                                 .table = linitial_oid(oids),
                                                 .policy = list_nth_oid(oids, 4),
                                                 .column = linitial_int(numbers),
                                                 .subject = lsecond_oid(oids),
                                                 .least = lsecond_int(numbers),
                                                 .nulls = static_cast<Nulls>(lthird_int(numbers)),
                                                 .type = lthird_oid(oids),
                                                 .collation = lfourth_oid(oids),
                                                 .image = static_cast<List*>(list_nth(list, 4)),
                                                 .subquery = 0,
                                                 .row = NIL};
}

}  // namespace dp::guard
