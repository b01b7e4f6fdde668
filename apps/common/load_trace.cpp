#include "common/load_trace.hpp"

#include "store/losses.hpp"

#include <fmt/format.h>
#include <string>
#include <vector>

namespace prof {

Result<Store> load_trace(const std::filesystem::path& path, ImportInfo* info) {
  StoreBuilder builder;
  PROF_CHECK(import_trace(path, builder, info));
  return builder.seal();
}

Exit tell_losses(const Context& context, const std::filesystem::path& path, const Store& store) {
  const Losses losses = losses_of(store);
  if (!losses.is_any()) return Exit::ok;
  tell(context, say(context.lang, "losses.told", fmt::arg("path", path.string()),
                    fmt::arg("what", losses_text(store, losses, context.lang))));
  return context.is_strict ? Exit::partial : Exit::ok;
}

void tell_unwritten(const Context& context, const WriterStats& stats) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view id, std::int64_t n) {
    if (n > 0) parts.push_back(say(context.lang, id, fmt::arg("n", n)));
  };
  add("export.left_out.slices", stats.left_out_slices);
  add("export.left_out.times", stats.left_out_times);
  if (!parts.empty())
    tell(context, say(context.lang, "export.left_out_of_pb",
                      fmt::arg("what", fmt::format("{}", fmt::join(parts, ", ")))));
}

} // namespace prof
