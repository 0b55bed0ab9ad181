#include "budget/ledger/told_parts.h"

#include "budget/catalog/extension_catalog.h"
#include "budget/ledger/ledger.h"
#include "budget/policy/accounts.h"
#include "budget/policy/grant_checks.h"

namespace dp::budget {
namespace {

// Read from the catalog as this command has left it.
bool is_linked(Oid part, Oid whole) {
  Relation const links = table_open(InheritsRelationId, AccessShareLock);
  ScanKeyData key;
  ScanKeyInit(&key, Anum_pg_inherits_inhrelid, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(part));
  SysScanDesc const scan = systable_beginscan(links, InheritsRelidSeqnoIndexId, true, SnapshotSelf, 1, &key);
  bool linked = false;
  for (HeapTuple row = systable_getnext(scan); HeapTupleIsValid(row); row = systable_getnext(scan))
    linked = linked || reinterpret_cast<Form_pg_inherits>(GETSTRUCT(row))->inhparent == whole;
  systable_endscan(scan);
  table_close(links, AccessShareLock);
  return linked;
}

const char* spent_on(const Amount& amount) {
  return psprintf("epsilon %s and delta %s", epsilon_decimal(amount.epsilon).text, delta_decimal(amount.delta).text);
}

void tell_of_budget(Oid part, Oid whole) {
  const char* const name = relation_name(part);
  ereport(WARNING,
          (errmsg("table %s and its part %s have a budget each: questions about them are refused", relation_name(whole),
                  name),
           errhint("A curator leaves it at that of the whole: SELECT dp.unprotect(%s);", quote_literal_cstr(name))));
}

void tell_of_charges(Oid part, Oid whole) {
  const Amount alone = spent(part, InvalidOid);
  if (alone.zero()) return;
  ereport(WARNING, (errmsg("table %s was charged by itself, which does not count in the budget of table %s",
                           relation_name(part), relation_name(whole)),
                    errdetail("Answers about its rows have cost %s already.", spent_on(alone)),
                    errhint("Lower the budget of the whole by what its rows are not to cost again.")));
}

void tell_of_readers(Oid part, Oid whole) {
  ListCell* cell;
  foreach (cell, accounts_on(whole)) {
    const Oid role = static_cast<const Policy*>(lfirst(cell))->role;
    if (!role_exists(role) || pg_class_aclcheck(whole, role, ACL_SELECT) == ACLCHECK_OK) continue;
    if (!has_any_privilege(part, role)) continue;
    const char* const name = relation_name(part);
    ereport(WARNING, (errmsg("role \"%s\" has a budget on table %s and privileges on its part %s", role_name(role),
                             relation_name(whole), name),
                      errdetail("It would see private data beside the answers that it pays for."),
                      errhint("REVOKE ALL ON %s FROM %s, PUBLIC;", name, quote_identifier(role_name(role)))));
  }
}

void tell_of_parting(Oid part, Oid whole, bool blocks) {
  const Amount used = spent(blocks ? part : whole, InvalidOid);
  const char* const name = relation_name(part);
  ereport(
      WARNING,
      (errmsg("table %s is not protected any more: it is no part of table %s now", name, relation_name(whole)),
       errdetail("What was charged for its rows stays with %s, which has spent %s.", blocks ? "it" : "the whole",
                 spent_on(used)),
       errhint("Keep it from analysts. Who gives it a budget of its own, by SELECT dp.protect(%s, ...), lowers that by "
               "what was spent.",
               quote_literal_cstr(name))));
}

}  // namespace

void tell_of_part(Oid part, Oid whole) {
  const auto protection = protection_of(whole);
  if (!protection) return;
  if (!is_linked(part, whole)) {
    if (!protected_policy(part)) tell_of_parting(part, protection->relation, protection->blocks);
    return;
  }
  if (protected_policy(part)) {
    tell_of_budget(part, protection->relation);
  } else if (!protection->blocks) {
    tell_of_charges(part, protection->relation);
  }
  tell_of_readers(part, protection->relation);
}

void tell_of_charged_parts(Oid whole) {
  ListCell* cell;
  foreach (cell, find_all_inheritors(whole, NoLock, nullptr))
    if (lfirst_oid(cell) != whole) tell_of_charges(lfirst_oid(cell), whole);
}

}  // namespace dp::budget
