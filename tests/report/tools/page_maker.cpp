// page_maker service|hostile|bulk|empty|one|odd|tracks|day OUT.pb|OUT.html [COUNT]: a synthetic trace, or its
// page. Prints bytes and items of a page. page_maker names: the hostile names, one a line, in hex.
#include "base/clock.hpp"
#include "base/file.hpp"
#include "edge_traces.hpp"
#include "report/html/html_page.hpp"
#include "synthetic_service.hpp"
#include "tracefile/writer.hpp"

#include <cstdlib>
#include <fmt/format.h>
#include <string>

namespace {

using namespace prof;

void make(TraceSink& sink, const std::string& kind, std::int64_t count) {
  if (kind == "bulk") return testing::make_bulk(sink, count > 0 ? count : 1'000'000);
  if (testing::make_edge(sink, kind, count > 0 ? count : 1000)) return;
  testing::SyntheticOptions options;
  options.is_hostile = kind == "hostile";
  if (count > 0) options.requests = count;
  testing::make_service(sink, options);
}

Status write_trace(const std::string& kind, const std::string& out, std::int64_t count) {
  PROF_TRY(auto writer, TraceFileWriter::create(out, {.is_live = false}));
  make(*writer, kind, count);
  return writer->finish();
}

Status write_page(const std::string& kind, const std::string& out, std::int64_t count) {
  StoreBuilder builder;
  make(builder, kind, count);
  const Store store = builder.seal();
  PROF_TRY(auto file, AtomicFile::create(out));
  PageOptions options;
  options.trace_name = kind + ".pb";
  const std::int64_t before = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
  PROF_TRY(const PageStats stats,
           write_html_page(store, options, [&](std::string_view bytes) { return file.write(bytes); }));
  fmt::print("{{\"bytes\": {}, \"items\": {}, \"rows\": {}, \"samples\": {}, \"cpu_ms\": {}}}\n", stats.bytes,
             stats.items, stats.rows, stats.samples,
             (clock_ns(CLOCK_PROCESS_CPUTIME_ID) - before) / 1'000'000);
  return file.commit();
}

} // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "names") {
    for (const std::string& name : prof::testing::hostile_names()) {
      for (const char c : name)
        fmt::print("{:02x}", static_cast<unsigned char>(c));
      fmt::print("\n");
    }
    return 0;
  }
  if (argc < 3) {
    fmt::print(stderr,
               "usage: page_maker service|hostile|bulk|empty|one|odd|tracks|day OUT.pb|OUT.html [COUNT]\n");
    return 2;
  }
  const std::string kind = argv[1], out = argv[2];
  const std::int64_t count = argc > 3 ? std::strtoll(argv[3], nullptr, 10) : 0;
  const prof::Status status =
      out.ends_with(".pb") ? write_trace(kind, out, count) : write_page(kind, out, count);
  if (status) return 0;
  fmt::print(stderr, "page_maker: {}: {}\n", status.error().where, status.error().what);
  return 1;
}
