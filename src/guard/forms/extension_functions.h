// Functions of other extensions whose meaning is known, and so can be written by PostgreSQL's own functions: those of
// citext. They are never called below the noise: what is written in their place is admitted like anything else, so
// only that an answer means what was asked rests on their rows, not that it is private.
//
// A name proves nothing, for whoever asks can make functions and operators of that name. Known is what belongs to the
// extension and to a superuser, and is in C, by its symbol in the extension's own library, or in PostgreSQL's core
// (LANGUAGE internal), by its symbol, or in SQL, by its name. The owner of the extension can make members of what is
// his own, and of nothing else.
#pragma once

#include "guard/functions/function_facts.h"
#include "pg/planner.h"

namespace dp::guard {

// The function of PostgreSQL that stands for that one, and how it does (its row's `citext`); nullptr for one that is
// none of these.
const FunctionFacts* made_elsewhere(Oid function);
inline const FunctionFacts* stands_for(Oid function) {
  return function < FirstNormalObjectId ? nullptr : made_elsewhere(function);
}

// Whether the operator belongs to the extension, and to a superuser: then so do its negator and commutator.
bool is_operator_of_citext(Oid op);

// Whether it is the type of texts that are compared in small letters, citext: its order is a known function.
bool is_citext(Oid type);
inline bool ignores_case(Oid type) { return type >= FirstNormalObjectId && is_citext(type); }

}  // namespace dp::guard
