#include "store/store.hpp"

namespace prof {

Store::Store(Tables tables, StringPool strings, Ts start, Ts end)
    : tables_(std::move(tables)), strings_(std::move(strings)), start_(start), end_(end) {}

StrId Store::id_of(std::string_view text) const {
  StrId id;
  return strings_.find(text, id) ? id : StrId{};
}

std::string_view Store::metadata(std::string_view key) const {
  StrId id;
  if (!strings_.find(key, id)) return {};
  for (std::size_t i = 0; i < tables_.metadata.key.size(); ++i)
    if (tables_.metadata.key[i] == id) return text(tables_.metadata.value[i]);
  return {};
}

std::optional<std::size_t> Store::find_signal(std::string_view name) const {
  StrId id;
  if (!strings_.find(name, id)) return std::nullopt;
  for (std::size_t i = 0; i < tables_.signal.name.size(); ++i)
    if (tables_.signal.name[i] == id) return i;
  return std::nullopt;
}

const ArgValue* Store::find_arg(std::uint32_t arg_set, std::string_view key) const {
  StrId id;
  if (arg_set == kNoRow || !strings_.find(key, id)) return nullptr;
  const ArgTable& args = tables_.arg;
  for (std::uint32_t i = args.set_begin[arg_set]; i < args.set_begin[arg_set + 1]; ++i)
    if (args.key[i] == id) return &args.value[i];
  return nullptr;
}

} // namespace prof
