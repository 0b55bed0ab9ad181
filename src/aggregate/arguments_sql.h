// The parameters of one aggregate call, read before the first row.
#pragma once

#include "mechanism/mechanism.h"
#include "pg/server.h"

namespace dp::aggregate {

// Bounds, epsilon, mechanism and the like must be the same for every row: constants, bound parameters, or immutable
// expressions over them. Everything else, and NULL, is an error (22023) that names the parameter.
class Arguments {
 public:
  // `aggref` as it stands where rows are accumulated, in the node `node`; a Finalize node no longer has the parameters.
  Arguments(const Aggref* aggref, PlanState* node);

  int count() const { return list_length(aggref_->args); }
  Oid type(int position) const { return exprType(expression(position)); }
  Oid collation() const { return aggref_->inputcollid; }

  Datum constant(int position, const char* name) const;
  double number(int position, const char* name) const { return DatumGetFloat8(constant(position, name)); }
  mechanism::Epsilon epsilon(int position) const { return mechanism::Epsilon::from(number(position, "epsilon")); }

  // The mechanism at that position, `auto` where the call ends before it.
  mechanism::Mechanism mechanism(int position) const;

  const char* function() const { return get_func_name(aggref_->aggfnoid); }

 private:
  Node* expression(int position) const;

  const Aggref* aggref_;
  PlanState* node_;
};

}  // namespace dp::aggregate
