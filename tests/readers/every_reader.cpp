#include "every_reader.hpp"
#include "../under_sanitizer.hpp"

#include "../import/packing.hpp"
#include "base/file.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>

namespace {

std::atomic<std::size_t> most_per_read{0};

} // namespace

// The linker sends the read() of everything in this program here (libs.cmake).
extern "C" ssize_t __real_read(int fd, void* buffer, std::size_t size);
extern "C" ssize_t __wrap_read(int fd, void* buffer, std::size_t size);
extern "C" ssize_t __wrap_read(int fd, void* buffer, std::size_t size) {
  const std::size_t most = most_per_read;
  return __real_read(fd, buffer, most == 0 ? size : std::min(size, most));
}

namespace prof::testing {
namespace {

namespace fs = std::filesystem;

// One row gives a format every test of every_reader_test.cpp.
const std::vector<Fixture>& committed() {
  static const std::vector<Fixture> rows{
      {"kineto_hta", "chrome_json", "kineto/hta_alexnet.json.gz", Unit::json_event},
      {"kineto_sync", "chrome_json", "kineto/hta_event_sync_multi_stream.json.gz", Unit::json_event},
      {"kineto_rocm", "chrome_json", "kineto/tl_mi210_gpu_only.json.gz", Unit::json_event},
      {"kineto_sglang", "chrome_json", "kineto/tl_sglang_decode_exec.json.gz", Unit::json_event},
      {"kineto_triton", "chrome_json", "kineto/tl_torch_compile_triton.json.gz", Unit::json_event},
      {"kineto_vllm", "chrome_json", "kineto/tl_vllm_decode_full_exec.json.gz", Unit::json_event},
      {"onnxruntime", "onnxruntime", "onnxruntime_silero.json.gz", Unit::json_event},
      {"nsys", "nsys", "nsys_mfu_2gpu.sqlite.gz", Unit::none, true},
      {"own_export", "profiler_sqlite", "own_export.sqlite.gz", Unit::none, true},
      {"rpd", "rpd", "rpd_matmul.rpd.gz", Unit::none, true},
      {"otlp", "otlp", "otlp_trace.json", Unit::json},
      {"xplane", "xplane", "jax_mi300_tw003.xplane.pb.gz", Unit::proto, true},
      {"perf_script", "perf_script", "perf_sort.txt.gz", Unit::block, false, 1},
      {"perf_data", "perf_data", "perf_sort.data.gz", Unit::record, true},
      {"collapsed", "collapsed", "perf_sort.folded.gz", Unit::line, false, 1},
      {"pprof", "pprof", "../../../fuzz/corpus/pprof/one", Unit::proto, true},
      {"otlp_proto", "otlp", "../../../fuzz/corpus/otlp/proto", Unit::proto},
      {"perfetto", "perfetto", "../../../fuzz/corpus/tracefile/golden.pb", Unit::proto, false, 2},
      {"ascend_kernels", "ascend_text", "ascend/alexnet_l1_kernels.csv.gz", Unit::line, false, 1},
      {"ascend_legacy", "ascend_text", "ascend/legacy_kernels.csv.gz", Unit::line, false, 1},
      {"ascend_qwen", "ascend_text", "ascend/qwen3_l2_kernels.csv.gz", Unit::line, false, 1},
      {"ascend_timeline", "ascend_text", "ascend/alexnet_l1_trace.json.gz", Unit::json_event, false, 1},
      {"ascend_2024", "ascend_text", "ascend/legacy_trace.json.gz", Unit::json_event},
      {"ascend_db", "ascend_db", "ascend/alexnet_l1_rank1.db.gz", Unit::none, true},
      {"msprof_db", "ascend_db", "ascend/msprof_mini.db.gz", Unit::none, true},
      {"rocpd_v3", "rocpd", "rocprof/rocpd_v3.db.gz", Unit::none, true},
      {"rocpd_v4", "rocpd", "rocprof/rocpd_v4.db.gz", Unit::none, true},
      {"rocprof_kernels", "rocprof_csv", "rocprof/rocprof_kernel_trace.csv.gz", Unit::line, false, 1},
      {"rocprof_calls", "rocprof_csv", "rocprof/rocprof_hip_api_trace.csv.gz", Unit::line, false, 1},
      {"rocprof_copies", "rocprof_csv", "rocprof/rocprof_memory_copy_trace.csv.gz", Unit::line, false, 1},
      {"rocprof_json", "rocprof_json", "rocprof/rocprof_results.json.gz", Unit::json},
      {"ascend_serving", "ascend_serving", "ascend/serving_batches.csv.gz", Unit::line},
  };
  return rows;
}

// Real files beside the checkout, or where PROF_REAL_TRACES says. Their formats are found when they are read.
std::vector<Fixture> real_ones() {
#ifdef PROF_UNDER_SANITIZER // they take many minutes there, and the committed ones go through the same code
  return {};
#else
  fs::path folder = fs::path(PROF_SOURCE_DIR).parent_path() / "shared/data";
  if (const char* named = std::getenv("PROF_REAL_TRACES")) folder = named;
  std::vector<Fixture> out;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string path = fs::relative(at->path(), folder).string();
    const auto ends = [&](std::string_view suffix) { return path.ends_with(suffix); };
    const bool is_json = ends(".json.gz") || ends("trace_view.json");
    const bool is_table = ends("kernel_details.csv") || ends("batches_pretrain_data.csv");
    const bool is_database = ends(".sqlite") || ends(".rpd") || (ends(".db") && !ends("analysis.db"));
    const bool is_xplane = ends(".xplane.pb"), is_otlp = ends("otlp_trace.json");
    if (!is_json && !is_table && !is_database && !is_xplane && !is_otlp) continue; // no trace by itself
    Fixture fixture{.name = "real_", .reader = "", .file = at->path().string()};
    for (const char c : path)
      fixture.name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    fixture.unit = is_json     ? Unit::json_event
                   : is_table  ? Unit::line
                   : is_xplane ? Unit::proto
                   : is_otlp   ? Unit::json
                               : Unit::none;
    fixture.has_late_names = is_xplane || is_database;
    fixture.bent_rows = is_table || is_json ? 1 : 0;
    out.push_back(fixture);
  }
  std::ranges::sort(out, {}, &Fixture::name);
  return out;
#endif
}

// Elements of the array that holds the events, counted as JSON says: by brackets outside strings.
std::string mended_events(std::string_view whole, std::size_t size) {
  const std::size_t member = whole.find("\"traceEvents\"");
  const bool is_bare = whole.substr(whole.find_first_not_of(" \n\r\t")).starts_with('[');
  const std::size_t begin = whole.find('[', is_bare || member == std::string_view::npos ? 0 : member);
  if (begin >= size) return {};
  int depth = 0;
  bool in_text = false;
  std::size_t last = 0;
  for (std::size_t i = begin; i < size; ++i) {
    const char c = whole[i];
    if (in_text) {
      if (c == '\\') ++i;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (--depth == 1) last = i + 1;
      if (depth == 0) break; // what stands behind the events is not needed
    }
  }
  return last == 0 ? "" : std::string(whole.substr(0, last)) + (is_bare ? "]" : "]}");
}

std::string mended_proto(std::string_view whole, std::size_t size) {
  std::size_t last = 0;
  for (std::size_t at = 0; at < size; last = at) {
    const auto varint = [&] {
      std::uint64_t value = 0;
      for (unsigned shift = 0; at < size; shift += 7) {
        const auto byte = static_cast<unsigned char>(whole[at++]);
        value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
        if (byte < 0x80) break;
      }
      return value;
    };
    const std::uint64_t type = varint() & 7U;
    if (at >= size) break;
    const std::uint64_t length = type == 0 ? (varint(), 0) : type == 1 ? 8 : type == 5 ? 4 : varint();
    if (length > size - at) break;
    at += static_cast<std::size_t>(length);
  }
  return std::string(whole.substr(0, last));
}

std::string up_to_last(std::string_view whole, std::size_t size, std::string_view mark) {
  const std::size_t at = whole.substr(0, size).rfind(mark);
  return at == std::string_view::npos ? "" : std::string(whole.substr(0, at + mark.size()));
}

} // namespace

const std::vector<Fixture>& fixtures() {
  static const std::vector<Fixture> all = [] {
    std::vector<Fixture> rows = committed();
    for (Fixture& fixture : real_ones())
      rows.push_back(std::move(fixture));
    return rows;
  }();
  return all;
}

std::string content_of(const Fixture& fixture) {
  std::string bytes = *read_file(data_file(fixture.file), 1 << 28);
  return bytes.starts_with("\x1f\x8b") ? ungzip(bytes) : bytes;
}

std::string mended(std::string_view whole, std::size_t size, Unit unit) {
  switch (unit) {
  case Unit::line:
    return up_to_last(whole, size, "\n");
  case Unit::block:
    return up_to_last(whole, size, "\n\n");
  case Unit::json_event:
    return mended_events(whole, size);
  case Unit::proto:
    return mended_proto(whole, size);
  case Unit::json:
  case Unit::record:
  case Unit::none:
    break;
  }
  return {};
}

Outcome outcome_of(const fs::path& path) {
  Outcome outcome;
  StoreBuilder builder;
  ImportInfo info;
  Status status = import_trace(path, builder, &info);
  outcome.format = info.format;
  if (status)
    outcome.store = builder.seal();
  else
    outcome.error = std::move(status).error();
  return outcome;
}

void set_most_per_read(std::size_t bytes) {
  most_per_read = bytes;
}

} // namespace prof::testing
