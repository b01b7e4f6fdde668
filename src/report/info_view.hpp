// info_view.hpp: what is in a trace, how much of it hangs together, what was lost and what cannot be known.
#pragma once
#include "base/lang.hpp"
#include "base/yaml_writer.hpp"
#include "store/store.hpp"

#include <string>

namespace prof {

// Where the trace came from.
struct TraceSource {
  std::string path;
  std::string format;  // the reader that read it; empty = not said
  std::string packing; // "gzip", "zstd" or empty
  std::int64_t bytes = 0;
};

// Keys are English in every language; texts (notes, reasons, mends) are in `lang`.
[[nodiscard]] Doc info_doc(const Store& store, const TraceSource& source, Lang lang);
// The same for a terminal. Control characters of names are made visible.
[[nodiscard]] std::string info_text(const Store& store, const TraceSource& source, Lang lang);

} // namespace prof
