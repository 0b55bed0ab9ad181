// The steps that all functions of curators take.
#pragma once

#include "pg/server.h"

namespace dp::budget {

// Raises 22023: that argument must not be NULL.
[[noreturn]] void refuse_null(const char* argument, const char* example);

// An argument of type regclass or regrole, not NULL.
Oid oid_argument(FunctionCallInfo fcinfo, int number, const char* argument, const char* example);

// Raises 42501 unless the current role is a curator of the relation.
void require_curator(Oid relation);

// Raises an error unless the current role is a curator of the relation and this transaction may write. Curators of one
// table wait for each other, and it keeps its shape meanwhile; readers and writers of its rows go on.
void begin_curating(Oid relation, const char* function);

void require_relation(Oid relation);

// Raises 55000: the relation is not protected by itself.
[[noreturn]] void refuse_unprotected(Oid relation);

// Makes cached plans on the relation be planned anew, under the rules as they are now.
void invalidate_plans(Oid relation);

}  // namespace dp::budget
