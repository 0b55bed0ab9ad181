// The text form of a mechanism: one canonical text each, helpful refusals, and no input that does anything else.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/mechanism_text.h"
#include "support/errors.h"

namespace dp::mechanism {
namespace {

const std::vector<std::string> kCanonical = {"auto",
                                             "geometric",
                                             "laplace",
                                             "staircase",
                                             "staircase(metric=l2)",
                                             "gaussian(delta=1e-6)",
                                             "gaussian(delta=1.5e-7)",
                                             "gaussian(delta=0.01)",
                                             "gaussian(delta=0.0001)",
                                             "gaussian(delta=1e-5)",
                                             "gaussian(delta=0.25)",
                                             "gaussian(delta=0.9999999999999999)",
                                             "gaussian(delta=1e-18)",
                                             "gaussian(delta=1.234567e-12)"};

std::string canonical(const std::string& text) { return format(parse(text)); }

// Returns the hint, after checking the kind of error and that the message holds `part`.
std::string refusal(const std::string& text, const std::string& part,
                    ErrorCode code = ErrorCode::invalid_text_representation) {
  const Error error = test::error_of([&] { parse(text); });
  EXPECT_EQ(error.code(), code) << text;
  EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << text << ": " << error.what();
  return error.hint();
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(MechanismText, CanonicalFormsStandStill) {
  for (const std::string& text : kCanonical) EXPECT_EQ(canonical(text), text);
}

TEST(MechanismText, EveryFamilyHasAFormThatReadsBack) {
  for (const Family* family : catalogue()) {
    const std::string text(family->example);
    const Mechanism m = parse(text);
    EXPECT_EQ(m.family, family);
    EXPECT_EQ(format(m), text);
  }
}

TEST(MechanismText, CaseSpacesAndDefaultsDoNotMatter) {
  EXPECT_EQ(canonical("  GEOMETRIC\t\n"), "geometric");
  EXPECT_EQ(canonical("Gaussian ( DELTA = 1E-6 )"), "gaussian(delta=1e-6)");
  EXPECT_EQ(canonical("staircase(metric=l1)"), "staircase");
  EXPECT_EQ(canonical("STAIRCASE(METRIC = L2)"), "staircase(metric=l2)");
  EXPECT_EQ(canonical("gaussian(delta=0.000001)"), "gaussian(delta=1e-6)");
  EXPECT_EQ(canonical("gaussian(delta=10e-7)"), "gaussian(delta=1e-6)");
  EXPECT_EQ(canonical("gaussian(delta=.5)"), "gaussian(delta=0.5)");
}

TEST(MechanismText, ValuesAreFilledIn) {
  EXPECT_EQ(std::get<Choice>(parse("staircase").values[0]).index, 0);
  EXPECT_EQ(std::get<Choice>(parse("staircase(metric=l2)").values[0]).index, 1);
  EXPECT_EQ(std::get<Delta>(parse("gaussian(delta=1e-6)").values[0]).atto, 1'000'000'000'000u);
  EXPECT_EQ(delta_of(parse("gaussian(delta=1e-6)")).atto, 1'000'000'000'000u);
  EXPECT_EQ(delta_of(parse("staircase")).atto, 0u);
}

// 10^-18 is the quantum: what delta keeps, the text keeps, over all sizes.
TEST(MechanismText, EveryDeltaReadsBack) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const double typed = static_cast<double>(random() % Delta::kPerUnit >> random() % 60) / Delta::kPerUnit;
    if (typed < 1e-18) continue;
    const Delta delta = Delta::from(typed);
    Mechanism m{&kGaussian};
    m.values[0] = delta;
    const std::string text = format(m);
    ASSERT_EQ(std::get<Delta>(parse(text).values[0]).atto, delta.atto) << text;
  }
}

TEST(MechanismText, UnknownNamesListWhatThereIs) {
  const std::string names = refusal("gausian(delta=1e-6)", "unknown mechanism \"gausian\"");
  for (const Family* family : catalogue()) EXPECT_TRUE(holds(names, std::string(family->name))) << names;
  EXPECT_TRUE(holds(refusal("gaussian(sigma=1)", "no key \"sigma\""), "delta"));
  EXPECT_TRUE(holds(refusal("geometric(delta=1e-6)", "no key \"delta\""), "no keys"));
  const std::string choices = refusal("staircase(metric=l3)", "unknown metric \"l3\"");
  EXPECT_TRUE(holds(choices, "l1") && holds(choices, "l2")) << choices;
}

TEST(MechanismText, MissingDuplicateAndBadValues) {
  EXPECT_TRUE(holds(refusal("gaussian(definition=classic)", "needs delta"), "gaussian(delta="));
  EXPECT_EQ(format(parse(" Gaussian ")), "gaussian");
  EXPECT_TRUE(holds(refusal("gg(p=3)", "needs delta"), "gg("));
  refusal("gaussian(delta=1e-6, delta=1e-6)", "given twice");
  refusal("staircase(metric=l1,metric=l2)", "given twice");
  for (const std::string bad : {"x", "1e-6x", "1e-400", "+1e-6", "--1", "1e", "0x1p-3", "."}) {
    refusal("gaussian(delta=" + bad + ")", "delta must be a number, not \"" + bad + '"');
  }
  for (const auto& [typed, shown] : std::vector<std::pair<std::string, std::string>>{
           {"0", "0"}, {"1", "1"}, {"2", "2"}, {"-1", "-1"}, {"1e-19", "1e-19"}, {"nan", "NaN"}, {"inf", "Infinity"}}) {
    refusal("gaussian(delta=" + typed + ")", ", not " + shown, ErrorCode::invalid_parameter_value);
  }
}

TEST(MechanismText, GarbageIsQuoted) {
  for (const std::string bad : {"",
                                " ",
                                "(",
                                ")",
                                "()",
                                "=",
                                ",",
                                "geometric(",
                                "geometric)",
                                "geometric()",
                                "geometric laplace",
                                "geometric,laplace",
                                "staircase(metric)",
                                "staircase(metric=)",
                                "staircase(=l1)",
                                "staircase(metric=l1",
                                "staircase(metric=l1))",
                                "staircase(metric=l1,)",
                                "gaussian(delta:1e-6)",
                                "gaussian(delta==1e-6)",
                                "'geometric'",
                                "geometric;"}) {
    const std::string hint = refusal(bad, "");
    EXPECT_FALSE(hint.empty());
  }
  EXPECT_TRUE(holds(refusal("geometric laplace", "invalid mechanism \"geometric laplace\""), "name(key=value, ...)"));
  refusal(std::string("geometric\0", 10), "invalid mechanism");
}

// A long input does not become a long message, and the message is text in the encoding of the input.
TEST(MechanismText, LongInputIsCutBetweenCharacters) {
  for (const std::string& lead : {std::string(), std::string("a")}) {
    std::string text = lead + "(";
    for (int i = 0; i < 500; ++i) text += "\xc3\xa9";  // e with acute, two bytes
    const std::string message = test::message_of([&] { parse(text); });
    EXPECT_NE(message, "no error");
    EXPECT_LE(message.size(), 200u);
    const std::size_t cut = message.find("...\"");
    const std::size_t shown = message.find('"') + 1;
    if (cut == std::string::npos) continue;  // the word alone was quoted
    EXPECT_EQ((cut - shown - lead.size() - 1) % 2, 0u) << "half a character before the cut";
  }
}

// Mutations of valid texts: parse returns or throws dp::Error, and what it returns has a stable text.
TEST(MechanismText, FuzzOnlyReturnsOrThrowsError) {
  std::mt19937_64 random(2);
  const std::string signs = "()=,. \t-+_019eElLmMgGdDxX\"'\\;%\n\x7f\xc3\xff";
  int accepted = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string text = kCanonical[random() % kCanonical.size()];
    for (std::uint64_t edits = 1 + random() % 4; edits > 0; --edits) {
      const std::size_t at = random() % (text.size() + 1);
      switch (random() % 6) {
        case 0:
          text.insert(at, 1, signs[random() % signs.size()]);
          break;
        case 1:
          if (at < text.size()) text.erase(at, 1 + random() % 3);
          break;
        case 2:
          if (at < text.size()) text[at] = signs[random() % signs.size()];
          break;
        case 3:
          if (at < text.size()) text[at] = static_cast<char>(random());
          break;
        case 4:
          text.insert(at, kCanonical[random() % kCanonical.size()].substr(0, 1 + random() % 12));
          break;
        default:
          text = text.substr(at) + text.substr(0, at);
      }
    }
    try {
      const std::string first = canonical(text);
      ASSERT_EQ(canonical(first), first) << text;
      ++accepted;
    } catch (const Error&) {
    }
  }
  EXPECT_GT(accepted, 1000) << "the mutations must reach beyond the first check";
}

}  // namespace
}  // namespace dp::mechanism
