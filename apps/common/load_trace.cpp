#include "common/load_trace.hpp"

#include "store/losses.hpp"

#include <fmt/format.h>

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

} // namespace prof
