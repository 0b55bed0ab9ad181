// How the parts of a question become bytes: trees, numbers and settings, so that no two lists of parts make the same.
#pragma once

#include <cstdint>
#include <string_view>

#include "guard/query/private_query.h"

namespace dp::guard {

class QuestionBytes {
 public:
  QuestionBytes() { initStringInfo(&bytes_); }

  // Each part has its length before it.
  void part(const char* data, std::size_t size) {
    const auto length = static_cast<std::uint64_t>(size);
    appendBinaryStringInfo(&bytes_, reinterpret_cast<const char*>(&length), sizeof length);
    appendBinaryStringInfo(&bytes_, data, static_cast<int>(size));
  }
  void text(const char* text) { part(text, strlen(text)); }
  template <class T>
  void number(T number) {
    part(reinterpret_cast<const char*>(&number), sizeof number);
  }

  // A tree without positions in the statement's text.
  void tree(const void* tree);

  // What the tree, which calls functions, means in this session.
  void session(Node* tree);

  // The settings that functions read which are not immutable.
  void settings();

  // The protected tables of an inner query, and whose permissions hold for each of them.
  void tables(const InnerQuery& inner_query, const Oid* roles);

  // Where its limit is chosen, in how many groups it may be follows from the keys.
  void unit(const mechanism::Contribution& unit);

  // What else the inner query was made with.
  void circumstances(const InnerQuery& inner_query);

  std::string_view view() const { return {bytes_.data, static_cast<std::size_t>(bytes_.len)}; }

 private:
  StringInfoData bytes_;
};

}  // namespace dp::guard
