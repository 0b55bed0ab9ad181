#include "budget/release/small_part.h"

#include <cstring>
#include <type_traits>

#include "pg/errors.h"

namespace dp::budget {
namespace {

using noise::Int128;

// Together with the text of the query, so that the row stays below the size at which values are moved out of line.
constexpr int kMostBytes = 1600;

// As appendBinaryStringInfo(), without a call for each of so many numbers. Nothing stands behind the bytes.
void put_bytes(StringInfo to, const void* bytes, int count) {
  if (to->maxlen - to->len <= count) enlargeStringInfo(to, count);
  std::memcpy(to->data + to->len, bytes, static_cast<std::size_t>(count));
  to->len += count;
}

template <class Number>
void put(StringInfo to, Number number) {
  static_assert(std::is_arithmetic_v<Number> || sizeof(Number) == sizeof(Int128));
  put_bytes(to, &number, sizeof number);
}

void put_text(StringInfo to, const char* text, int bytes) {
  put(to, static_cast<std::int32_t>(bytes));
  put_bytes(to, text, bytes);
}

void put_text(StringInfo to, const char* text) { put_text(to, text, static_cast<int>(std::strlen(text))); }

void put_aggregate(StringInfo to, const ReleasedAggregate& a) {
  put_text(to, a.name);
  put_text(to, a.mechanism);
  put_text(to, form_name(a.form));
  put(to, a.epsilon.nano);
  put(to, a.path.number());
  put(to, static_cast<std::int32_t>(a.coordinates));
  put(to, static_cast<std::int32_t>(a.form.refinement));
  put(to, a.form.exponent);
  put(to, a.form.lower);
  put(to, a.form.range);
}

class Reader {
 public:
  explicit Reader(const ReleasePart& part)
      : part_(part), at_(VARDATA_ANY(part.small)), end_(at_ + VARSIZE_ANY_EXHDR(part.small)) {}

  template <class Number>
  Number number() {
    Number number;
    std::memcpy(&number, bytes(sizeof number), sizeof number);
    return number;
  }

  // As many bytes, from here on.
  const char* bytes(std::int64_t count) {
    if (count < 0 || count > end_ - at_) refuse_damaged(part_, "Its row is not whole.");
    const char* const begin = at_;
    at_ += count;
    return begin;
  }

  const char* text() {
    const auto count = number<std::int32_t>();
    return pnstrdup(bytes(count), count);
  }

  std::int64_t left() const { return end_ - at_; }

 private:
  const ReleasePart& part_;
  const char* at_;
  const char* end_;
};

ReleasedAggregate get_aggregate(Reader* from) {
  ReleasedAggregate a{};
  a.name = from->text();
  a.mechanism = from->text();
  read_form_name(from->text(), &a.form);
  a.epsilon.nano = from->number<decltype(a.epsilon.nano)>();
  a.path = mechanism::NoisePath::stored(from->number<noise::Uint128>());
  a.coordinates = from->number<std::int32_t>();
  a.form.refinement = static_cast<std::uint8_t>(from->number<std::int32_t>());
  a.form.exponent = from->number<decltype(a.form.exponent)>();
  a.form.lower = from->number<decltype(a.form.lower)>();
  a.form.range = from->number<decltype(a.form.range)>();
  return a;
}

}  // namespace

Draw* SmallPart::draws(int aggregate, std::int64_t groups) const {
  const char* at = numbers;
  for (int i = 0; i < aggregate; ++i) {
    if (aggregates[i].relaxable()) at += 2 * sizeof(Int128) * groups * aggregates[i].coordinates;
  }
  const std::int64_t count = groups * aggregates[aggregate].coordinates;
  auto* const draws = static_cast<Draw*>(palloc(sizeof(Draw) * static_cast<Size>(count + 1)));
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(&draws[i].noisy, at + i * sizeof(Int128), sizeof(Int128));
    std::memcpy(&draws[i].noise, at + (count + i) * sizeof(Int128), sizeof(Int128));
  }
  return draws;
}

bytea* form_small(const ReleasePart& part, const StringInfoData& keys, const StringInfoData* noisy,
                  const StringInfoData* noise) {
  if (part.numbers() * static_cast<std::int64_t>(2 * sizeof(Int128)) > kMostBytes) return nullptr;
  StringInfoData value;
  initStringInfo(&value);
  appendStringInfoSpaces(&value, VARHDRSZ);
  put(&value, static_cast<std::int32_t>(part.numbers()));
  put(&value, static_cast<std::int32_t>(part.size));
  for (int i = 0; i < part.size; ++i) put_aggregate(&value, part.aggregates[i]);
  put_text(&value, keys.data, keys.len);
  for (int i = 0; i < part.size; ++i) {
    if (!part.aggregates[i].relaxable()) continue;
    put_bytes(&value, noisy[i].data, noisy[i].len);
    put_bytes(&value, noise[i].data, noise[i].len);
  }
  const Size query = part.query == nullptr ? 0 : std::strlen(part.query);
  if (value.len + query > kMostBytes) return nullptr;
  auto* const small = static_cast<bytea*>(static_cast<void*>(value.data));
  SET_VARSIZE(small, value.len);
  return small;
}

SmallPart read_small(const ReleasePart& part) {
  Reader from(part);
  const auto numbers = from.number<std::int32_t>();
  SmallPart small{from.number<std::int32_t>(), nullptr, nullptr, nullptr};
  if (small.size < 0 || small.size > from.left()) refuse_damaged(part, "Its row is not whole.");
  small.aggregates = static_cast<ReleasedAggregate*>(palloc(sizeof(ReleasedAggregate) * (small.size + 1)));
  std::int64_t expected = 0;
  for (int i = 0; i < small.size; ++i) {
    small.aggregates[i] = get_aggregate(&from);
    if (small.aggregates[i].relaxable()) expected += part.groups * small.aggregates[i].coordinates;
  }
  const char* const keys = from.text();
  if (*keys != '\0') small.keys = cstring_to_text(keys);
  if (expected != numbers || from.left() != expected * static_cast<std::int64_t>(2 * sizeof(Int128)))
    refuse_damaged(part, "Not all of its numbers are there.");
  small.numbers = from.bytes(from.left());
  return small;
}

std::int64_t numbers_in_small(Datum small) {
  const bytea* const bytes = DatumGetByteaPP(small);
  std::int32_t numbers = 0;
  if (VARSIZE_ANY_EXHDR(bytes) >= sizeof numbers) std::memcpy(&numbers, VARDATA_ANY(bytes), sizeof numbers);
  return numbers;
}

}  // namespace dp::budget
