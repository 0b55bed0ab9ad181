// The rows of dp.public_domain: read with a fresh catalog snapshot, written like a system catalog's. Nothing here asks
// what the current role may do.
#pragma once

#include <optional>

#include "pg/server.h"

namespace dp::budget {

// A declared domain as it lies in the table; palloc'd.
struct PublicDomain {
  Oid type;
  ArrayType* values;  // text[]
};

std::optional<PublicDomain> public_domain(Oid relation, const char* expression);

// The expressions of that relation that have one (String), in the order of their texts.
List* public_expressions(Oid relation);

// What is known of a declared domain without reading its values.
struct DeclaredDomain {
  Oid type;
  int size;
  TransactionId made;  // by whom: another one once it was declared anew
};

std::optional<DeclaredDomain> declaration_of(Oid relation, const char* expression);

// Inserts the row, or changes the one with the same key.
void store_public_domain(Oid relation, const char* expression, const PublicDomain& domain);
bool remove_public_domain(Oid relation, const char* expression);
void rename_public_domain(Oid relation, const char* from, const char* to);
void remove_public_domains(Oid relation);

}  // namespace dp::budget
