#include "guard/groups/key_parts.h"

#include "budget/policy/accounts.h"
#include "pg/errors.h"

namespace dp::guard {

List* KeyPart::as_list() const {
  List* const what = list_make5_oid(table, subject, static_cast<Oid>(subquery), Oid{with_null}, Oid{of_rows});
  return list_make5(lappend_oid(what, static_cast<Oid>(telling)), columns, conditions,
                    cells == nullptr ? NIL : cells->as_list(), narrowing);
}

KeyPart KeyPart::of(const List* list) {
  const auto* const what = static_cast<const List*>(linitial(list));
  auto* const cells = static_cast<List*>(lfourth(list));
  return {linitial_oid(what),
          lsecond_oid(what),
          static_cast<int>(lthird_oid(what)),
          lfourth_oid(what) != 0,
          list_nth_oid(what, 4) != 0,
          static_cast<List*>(lsecond(list)),
          static_cast<int>(list_nth_oid(what, 5)),
          static_cast<List*>(lthird(list)),
          cells == NIL ? nullptr : new (palloc(sizeof(Cells))) Cells(Cells::of(cells)),
          static_cast<List*>(list_nth(list, 4))};
}

std::optional<budget::Domain> listed_values(Oid table, AttrNumber column, Oid role) {
  const auto protection = budget::protection_of(table);
  if (!protection) return std::nullopt;
  Oid type, collation;
  int32 modifier;
  get_atttypetypmodcoll(table, column, &type, &modifier, &collation);
  const char* const name = quote_identifier(get_attname(table, column, false));
  if (auto declared = budget::declared_domain(protection->relation, name, type, collation)) return declared;
  return budget::natural_domain(table, column, role);
}

std::optional<int> listed_size(Oid table, AttrNumber column, Oid role) {
  const auto protection = budget::protection_of(table);
  if (!protection) return std::nullopt;
  const char* const name = quote_identifier(get_attname(table, column, false));
  if (auto declared = budget::declared_size(protection->relation, name, get_atttype(table, column))) return declared;
  return budget::natural_size(table, column, role);
}

}  // namespace dp::guard
