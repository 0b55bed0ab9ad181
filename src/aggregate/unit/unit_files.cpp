#include "aggregate/unit/unit_files.h"

#include <cstring>

#include "pg/random_bits.h"

namespace dp::aggregate {
namespace {

// A flag of our own beside PARAM_FLAG_CONST, as the list of collations has one (guard/admission/collations.cpp).
constexpr uint16 kUnitFiles = 0x2000;

// Nobody can be told of what goes wrong here, and nothing may stop it.
void delete_files(void* files) {
  HOLD_INTERRUPTS();
  FileSetDeleteAll(static_cast<FileSet*>(files));
  RESUME_INTERRUPTS();
}

}  // namespace

void send_unit_files(ParamExternData* parameter) {
  auto* const files = static_cast<UnitFiles*>(palloc0(sizeof(UnitFiles)));
  FileSetInit(&files->files);
  files->key.draw(pg::random_bits());
  auto* const end = static_cast<MemoryContextCallback*>(palloc(sizeof(MemoryContextCallback)));
  end->func = delete_files;
  end->arg = &files->files;
  MemoryContextRegisterResetCallback(CurrentMemoryContext, end);
  auto* const sent = static_cast<bytea*>(palloc(VARHDRSZ + sizeof(UnitFiles)));
  SET_VARSIZE(sent, VARHDRSZ + sizeof(UnitFiles));
  std::memcpy(VARDATA(sent), files, sizeof(UnitFiles));
  *parameter = {PointerGetDatum(sent), false, PARAM_FLAG_CONST | kUnitFiles, BYTEAOID};
}

UnitFiles* sent_unit_files(ParamListInfo parameters) {
  for (int i = 0; parameters != nullptr && i < parameters->numParams; ++i) {
    const ParamExternData& sent = parameters->params[i];
    if ((sent.pflags & kUnitFiles) == 0 || sent.ptype != BYTEAOID || sent.isnull) continue;
    const auto* const value = reinterpret_cast<const bytea*>(DatumGetPointer(sent.value));
    if (VARSIZE_ANY_EXHDR(value) != sizeof(UnitFiles)) return nullptr;
    return static_cast<UnitFiles*>(std::memcpy(palloc(sizeof(UnitFiles)), VARDATA_ANY(value), sizeof(UnitFiles)));
  }
  return nullptr;
}

}  // namespace dp::aggregate
