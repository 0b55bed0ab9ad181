// Which functions may be called on the rows of a protected table: those that are total.
//
// A function is total for given arguments if, whatever the row holds, it returns without an error, depends on its
// arguments (and settings) alone, and has no effect beside its result: no notice, no write, no lock, no time that
// depends on anything but the size of its input. An error that depends on a row would be an exact answer about that
// row.
#pragma once

#include "pg/planner.h"

namespace dp::guard {

// Why a call is not admitted; the obstacle is nullptr for a call that is. `arguments` are the expressions; constants
// among them are looked at, because some functions are total for some constants only (LIKE with a pattern that is well
// formed, date_trunc with a field that exists). The hint shows what to write instead, nullptr where there is nothing
// better.
struct Verdict {
  const char* obstacle;  // 'int4div fails on zero'
  const char* hint;
};

Verdict judge_call(Oid function, List* arguments, Oid collation);

// Whether the function is total whatever its arguments; false for InvalidOid.
bool is_always_total(Oid function);

// Whether it gives the hash or the order of a type, and is total; false for InvalidOid. Arrays: of their elements.
bool is_total_order(Oid function, Oid type);

// Whether an expression x[...] reads a part of an array or a jsonb: what is not there is NULL.
bool is_total_part(const SubscriptingRef* part);

// The same for the comparison by which values of a type are ordered, as in GREATEST.
Verdict judge_order(Oid type);

}  // namespace dp::guard
