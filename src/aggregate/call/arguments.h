// The parameters of one aggregate call, read before the first row.
#pragma once

#include "core/mechanism/mechanism.h"
#include "pg/server.h"

namespace dp::aggregate {

// Whether the expression has the same value for every row: a constant, a parameter of the statement, or an immutable
// expression over them.
bool same_for_every_row(Node* expression);

// What such an expression comes to at a node that was started.
NullableDatum value_for_all_rows(Node* expression, PlanState* node);

// Bounds, epsilon, mechanism and the like must be the same for every row: constants, bound parameters, or immutable
// expressions over them. Everything else, and NULL, is an error (22023) that names the parameter.
class Arguments {
 public:
  // `aggref` is that of the node in which rows are accumulated, `node`; a Finalize node no longer has the parameters.
  Arguments(const Aggref* aggref, PlanState* node);

  // The arguments of another aggregate, whose OID is the last argument; `skipped` arguments from position `first` on
  // are left out.
  static Arguments handed_on(const Aggref* aggref, PlanState* node, int first, int skipped);

  int count() const { return count_; }
  Oid aggregate() const { return aggregate_; }

  // The type of the argument; InvalidOid where the call ends before it.
  Oid type(int position) const { return position < count() ? exprType(expression(position)) : InvalidOid; }
  Oid collation() const { return aggref_->inputcollid; }

  // The type that the aggregate is declared to return.
  Oid declared_answer() const { return get_func_rettype(aggregate_); }

  // Whether that argument is a constant other than NULL, like the '*' of dp_count('*', 0.5).
  bool is_certain(int position) const;

  // The constant value of that argument, which must be of that type.
  Datum constant(int position, Oid type, const char* name) const;
  // The last argument, which must be a constant of that type; the call ends before it from now on.
  Datum take_last(Oid type, const char* name);
  double number(int position, const char* name) const { return DatumGetFloat8(constant(position, FLOAT8OID, name)); }
  mechanism::Epsilon epsilon(int position) const { return mechanism::Epsilon::from(number(position, "epsilon")); }

  // The mechanism at that position, `auto` where the call ends before it.
  mechanism::Mechanism mechanism(int position) const;

  const char* function() const;

  // Raises the error of an aggregate that somebody made from our support functions with other types than ours.
  [[noreturn]] void refuse_signature() const;

 private:
  Node* expression(int position) const;

  const Aggref* aggref_;
  PlanState* node_;
  Oid aggregate_;
  int first_ = 0;  // position from which on `skipped_` arguments are not ours
  int skipped_ = 0;
  int count_;
};

}  // namespace dp::aggregate
