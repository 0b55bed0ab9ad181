#include "core/mechanism/mechanism_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "core/mechanism/catalogue.h"
#include "core/mechanism/error.h"

namespace dp::mechanism {
namespace {

// A message shows at most 60 bytes of what was typed, cut before a character of UTF-8 that would be split.
std::string quoted(std::string_view text) {
  std::size_t shown = 60;
  if (text.size() <= shown) return '"' + std::string(text) + '"';
  while (shown > 0 && (static_cast<unsigned char>(text[shown]) & 0xc0) == 0x80) --shown;
  return '"' + std::string(text.substr(0, shown)) + "...\"";
}

[[noreturn]] void reject(const std::string& message, std::string hint) {
  throw Error(ErrorCode::invalid_text_representation, message, std::move(hint));
}

template <class Range, class Name>
std::string join(const Range& items, Name name) {
  std::string joined;
  for (const auto& item : items) joined.append(joined.empty() ? "" : ", ").append(name(item));
  return joined;
}

std::string names() {
  return join(catalogue(), [](const Family* family) { return family->name; });
}

// Splits off the words and signs of the text; a word is letters, digits and the signs of numbers.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), rest_(text) {}

  std::string word() {
    skip_space();
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), [](unsigned char c) {
      return std::isalnum(c) || c == '_' || c == '.' || c == '+' || c == '-';
    });
    std::string found(rest_.begin(), end);
    rest_.remove_prefix(found.size());
    std::transform(found.begin(), found.end(), found.begin(), [](unsigned char c) { return std::tolower(c); });
    if (found.empty()) reject("invalid mechanism " + quoted(text_), hint());
    return found;
  }

  bool accept(char sign) {
    skip_space();
    if (rest_.empty() || rest_.front() != sign) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void expect(char sign) {
    if (!accept(sign)) reject("invalid mechanism " + quoted(text_), hint());
  }

  void expect_end() {
    skip_space();
    if (!rest_.empty()) reject("invalid mechanism " + quoted(text_), hint());
  }

 private:
  void skip_space() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front()))) rest_.remove_prefix(1);
  }

  static std::string hint() {
    return "Write name or name(key=value, ...), for example geometric or gaussian(delta=1e-6). The names are " +
           names() + ".";
  }

  std::string_view text_;
  std::string_view rest_;
};

std::string example(const Family& family) { return "For example " + std::string(family.example) + "."; }

const Family* find_family(const std::string& name) {
  for (const Family* family : catalogue()) {
    if (family->name == name) return family;
  }
  reject("unknown mechanism " + quoted(name), "The mechanisms are " + names() + ".");
}

std::size_t find_key(const Family& family, const std::string& name) {
  for (std::size_t i = 0; i < family.keys.size(); ++i) {
    if (family.keys[i].name == name) return i;
  }
  const std::string owner = "mechanism \"" + std::string(family.name) + "\"";
  reject(owner + " has no key " + quoted(name),
         family.keys.empty() ? "It takes no keys: write " + std::string(family.name) + "."
                             : "Its keys are " + join(family.keys, [](const Key& key) { return key.name; }) + ".");
}

double read_number(const Family& family, const Key& key, const std::string& text) {
  double number;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) {
    reject(std::string(key.name) + " must be a number, not " + quoted(text), example(family));
  }
  return number;
}

Value read_value(const Family& family, const Key& key, const std::string& text) {
  switch (key.type) {
    case Key::Type::delta:
      return Delta::from(read_number(family, key, text));
    case Key::Type::number: {
      const double number = read_number(family, key, text);
      if (std::isfinite(number)) return number;
      reject(std::string(key.name) + " must be finite, not " + quoted(text), example(family));
    }
    case Key::Type::choice:
      break;
  }
  const auto found = std::find(key.choices.begin(), key.choices.end(), text);
  if (found == key.choices.end()) {
    reject("unknown " + std::string(key.name) + " " + quoted(text),
           "It is one of " + join(key.choices, [](std::string_view choice) { return choice; }) + ".");
  }
  return Choice{static_cast<std::uint8_t>(found - key.choices.begin())};
}

void fill_defaults(Mechanism& m) {
  for (std::size_t i = 0; i < m.family->keys.size(); ++i) {
    if (!std::holds_alternative<std::monostate>(m.values[i])) continue;
    const Key& key = m.family->keys[i];
    if (key.type == Key::Type::choice) m.values[i] = Choice{0};
    if (key.type == Key::Type::delta && key.required) {
      reject("mechanism \"" + std::string(m.family->name) + "\" needs " + std::string(key.name), example(*m.family));
    }
  }
}

// delta as digits and a power of ten, so that the text is exact: 0.01, 1e-6, 1.5e-7.
std::string format_delta(Delta delta) {
  std::string digits = std::to_string(delta.atto);
  int exponent = static_cast<int>(digits.size()) - 19;  // of the first digit; 10^-18 has one digit
  digits.erase(digits.find_last_not_of('0') + 1);
  if (exponent >= -4) return "0." + std::string(-exponent - 1, '0') + digits;
  if (digits.size() > 1) digits.insert(1, ".");
  return digits + "e" + std::to_string(exponent);
}

}  // namespace

Mechanism parse(std::string_view text) {
  Reader reader(text);
  Mechanism m{find_family(reader.word())};
  if (reader.accept('(')) {
    do {
      const std::string name = reader.word();
      const std::size_t key = find_key(*m.family, name);
      if (!std::holds_alternative<std::monostate>(m.values[key])) {
        reject("key " + quoted(name) + " is given twice", "Give each key once.");
      }
      reader.expect('=');
      m.values[key] = read_value(*m.family, m.family->keys[key], reader.word());
    } while (reader.accept(','));
    reader.expect(')');
  }
  reader.expect_end();
  fill_defaults(m);
  m.family->check(m);
  return m;
}

std::string format(const Mechanism& m) {
  std::string keys;
  for (std::size_t i = 0; i < m.family->keys.size(); ++i) {
    const Key& key = m.family->keys[i];
    std::string value;
    if (const auto* choice = std::get_if<Choice>(&m.values[i])) {
      if (choice->index == 0) continue;
      value = key.choices[choice->index];
    } else if (const auto* delta = std::get_if<Delta>(&m.values[i])) {
      value = format_delta(*delta);
    } else if (const auto* number = std::get_if<double>(&m.values[i])) {
      value = decimal(*number);
    } else {
      continue;
    }
    keys.append(keys.empty() ? "" : ", ").append(key.name).append("=").append(value);
  }
  return std::string(m.family->name) + (keys.empty() ? "" : "(" + keys + ")");
}

}  // namespace dp::mechanism
