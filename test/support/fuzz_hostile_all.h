// All makers of hostile scripts, by subject.
#pragma once

#include "support/fuzz_hostile_catalogue.h"
#include "support/fuzz_hostile_denied.h"
#include "support/fuzz_hostile_facts.h"
#include "support/fuzz_hostile_objects.h"
#include "support/fuzz_hostile_operators.h"
#include "support/fuzz_hostile_paths.h"
#include "support/fuzz_hostile_plain.h"
#include "support/fuzz_hostile_roll_ups.h"
#include "support/fuzz_hostile_settings.h"
#include "support/fuzz_hostile_sizes.h"
#include "support/fuzz_hostile_stack.h"
#include "support/fuzz_hostile_values.h"

namespace dp::test {

struct Subject {
  std::string name;
  Script (*make)(Dice&);
  int weight;  // how often, against the others: what takes long comes seldom
};

inline const std::vector<Subject> kSubjects = {
    {"operators", operators, 8},   {"denied", denied, 8},  {"choices", choices, 4},    {"types", types, 8},
    {"collations", collations, 4}, {"units", units, 3},    {"settings", settings, 10}, {"values", values, 4},
    {"facts", facts, 3},           {"stack", stack, 2},    {"sizes", sizes, 2},        {"growth", growth, 1},
    {"catalogue", catalogue, 1},   {"plain", plain, 10},   {"reuse", reuse, 10},       {"roll_ups", roll_ups, 5},
    {"paths", paths, 15},          {"people", people, 15},
};

}  // namespace dp::test
