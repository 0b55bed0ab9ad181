// Functions of other extensions whose meaning is known, and so can be written by PostgreSQL's own functions: those of
// citext. They are never called below the noise: what is written in their place is admitted like anything else, so
// only that an answer means what was asked rests on this list, not that it is private.
//
// A name proves nothing, for whoever asks can make functions and operators of that name. Known is what belongs to the
// extension and to a superuser, and is in C, by its symbol in the extension's own library, or in PostgreSQL's core
// (LANGUAGE internal), by its symbol, or in SQL, by its name. The owner of the extension can make members of what is
// his own, and of nothing else.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// How PostgreSQL's function stands for one of the extension.
enum class ExtensionMeaning {
  same,         // with the same arguments as texts
  folded,       // with the arguments as texts in small letters
  ignoring,     // with the arguments as texts, and the flag 'i' behind them
  translation,  // translate(), once for small letters and once for large ones
  part          // split_part(), which is NULL where there are not as many parts
};

struct KnownFunction {
  const char* extension;
  Oid language;
  const char* symbol;  // of functions in SQL: the name
  int arguments;
  Oid stands_for;
  ExtensionMeaning meaning;
};

// nullptr for a function that is none of them.
const KnownFunction* known_function(Oid function);

// Whether the operator belongs to the same extension, and to a superuser: then so do its negator and commutator.
bool is_operator_of(Oid op, const KnownFunction& function);

// Whether it is the type of texts that are compared in small letters, citext: its order is a known function.
bool ignores_case(Oid type);

}  // namespace dp::guard
