// string_pool.hpp: text -> StrId. One copy per distinct text; ids are dense and stable.
#pragma once
#include <compare>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace prof {

// A row of a StringPool. 0 is always the empty text. Ids of two pools must not be mixed.
struct StrId {
  std::uint32_t row = 0;
  friend constexpr auto operator<=>(StrId, StrId) = default;
  [[nodiscard]] constexpr bool is_empty() const { return row == 0; }
};

// Not thread-safe. Views returned by text() live as long as the pool.
class StringPool {
public:
  StringPool();
  StringPool(StringPool&&) noexcept = default;
  StringPool& operator=(StringPool&&) noexcept = default;
  StringPool(const StringPool&) = delete; // the map's keys point into the texts
  StringPool& operator=(const StringPool&) = delete;
  ~StringPool() = default;

  // The id of `text`, added when new. Amortised O(length).
  StrId intern(std::string_view text);
  // The id of `text`, or {0} with found=false when it was never interned.
  [[nodiscard]] bool find(std::string_view text, StrId& out) const;
  [[nodiscard]] std::string_view text(StrId id) const {
    return id.row < texts_.size() ? std::string_view(texts_[id.row]) : std::string_view{};
  }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

private:
  std::deque<std::string> texts_; // deque: addresses stay put while it grows
  std::unordered_map<std::string_view, std::uint32_t> index_;
};

} // namespace prof
