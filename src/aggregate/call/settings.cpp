#include "aggregate/call/settings.h"

#include <exception>

#include "core/mechanism/error.h"
#include "core/mechanism/mechanism_text.h"
#include "pg/planner.h"

namespace dp::aggregate {
namespace {

double epsilon = 0;
char* mechanism = nullptr;

constexpr char kAutomatic[] = "auto";

// Plans hold the value that they were made under.
void plan_again_for_epsilon(double, void*) { ResetPlanCache(); }
void plan_again_for_mechanism(const char*, void*) { ResetPlanCache(); }

bool is_mechanism(char** text, void**, GucSource) {
  try {
    mechanism::parse(*text);
    return true;
  } catch (const Error& problem) {
    GUC_check_errdetail("%s", problem.what());
    GUC_check_errhint("%s", problem.hint().c_str());
    return false;
  } catch (const std::exception& problem) {
    GUC_check_errdetail("%s", problem.what());
    return false;
  }
}

}  // namespace

void define_settings() {
  DefineCustomRealVariable("dp.epsilon", "Epsilon of answers that name none, from 1e-9 to 1e6.",
                           "Zero means that it is not set: then the account's or the table's answer_epsilon holds.",
                           &epsilon, 0, 0, 1e6, PGC_USERSET, 0, nullptr, plan_again_for_epsilon, nullptr);
  DefineCustomStringVariable("dp.mechanism", "Mechanism of answers that name no epsilon, such as laplace.",
                             "Auto means that it is not set: then the account's or the table's answer_mechanism holds, "
                             "else each aggregate has the best one that is purely epsilon-private.",
                             &mechanism, kAutomatic, PGC_USERSET, 0, is_mechanism, plan_again_for_mechanism, nullptr);
}

double epsilon_setting() { return epsilon; }

const char* mechanism_setting() { return mechanism; }

}  // namespace dp::aggregate
