#include "guard/admission/collations.h"

#include "pg/access.h"

namespace dp::guard {
namespace {

// A flag of our own beside PARAM_FLAG_CONST. Flags travel with a parameter to workers, and PostgreSQL looks at no other
// one.
constexpr uint16 kCollations = 0x4000;

void open(Oid collation) {
  if (OidIsValid(collation)) pg::open_collation(collation);
}

}  // namespace

void open_collations(List* collations) {
  ListCell* cell;
  foreach (cell, collations) open(lfirst_oid(cell));
}

void send_collations(List* collations, ParamExternData* parameter) {
  auto* const numbers = static_cast<Oid*>(palloc(sizeof(Oid) * static_cast<Size>(list_length(collations) + 1)));
  ListCell* cell;
  foreach (cell, collations) numbers[foreach_current_index(cell)] = lfirst_oid(cell);
  *parameter = {PointerGetDatum(buildoidvector(numbers, list_length(collations))), false,
                PARAM_FLAG_CONST | kCollations, OIDVECTOROID};
}

void open_sent_collations(ParamListInfo parameters) {
  if (parameters == nullptr || parameters->numParams == 0) return;
  const ParamExternData& last = parameters->params[parameters->numParams - 1];
  if ((last.pflags & kCollations) == 0 || last.ptype != OIDVECTOROID || last.isnull) return;
  const auto* const numbers = reinterpret_cast<const oidvector*>(DatumGetPointer(last.value));
  for (int i = 0; i < numbers->dim1; ++i) open(numbers->values[i]);
}

}  // namespace dp::guard
