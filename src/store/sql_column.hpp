// sql_column.hpp: what the column descriptions of sql_tables_*.cpp say again and again, said once.
#pragma once
#include "store/sql_tables.hpp"

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace prof::detail {

inline std::int64_t row_id(SqlData&, std::uint32_t row) {
  return row;
}

// A double as a column of kind real holds it. -0.0 has the bits of kSqlNull; adding zero makes it 0.0.
inline std::int64_t real_bits(double value) {
  return std::bit_cast<std::int64_t>(value + 0.0);
}

// The value of a stored column: column<&Tables::process, &ProcessTable::pid>.
template <auto Table, auto Member>
std::int64_t column(SqlData& data, std::uint32_t row) {
  const auto value = ((data.t().*Table).*Member)[row];
  using Value = std::remove_const_t<decltype(value)>;
  if constexpr (std::same_as<Value, StrId>)
    return value.row;
  else if constexpr (std::same_as<Value, double>)
    return real_bits(value);
  else
    return static_cast<std::int64_t>(value);
}

// How many rows a stored table has, by one of its columns.
template <auto Table, auto Member>
std::size_t row_count(SqlData& data) {
  return ((data.t().*Table).*Member).size();
}

// The n-th of a fixed list of words, for columns of kind word.
template <const auto& Words>
std::string_view nth_word(std::int64_t number) {
  return Words.at(static_cast<std::size_t>(number));
}

} // namespace prof::detail
