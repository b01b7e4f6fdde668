#include "report/html/html_page.hpp"

#include "report/html/page_json.hpp"
#include "report/html/page_operators.hpp"
#include "report/html/pyramid.hpp"
#include "store/sql.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>

extern "C" {
extern const char prof_page_template_begin[];
extern const char prof_page_template_end[];
}

namespace prof {
namespace {

using nlohmann::json;

constexpr std::uint32_t kArgSetsPerChunk = 1024;

struct Template {
  std::string_view head, middle, tail;
};
Result<Template> split_template() {
  const std::string_view page(prof_page_template_begin,
                              static_cast<std::size_t>(prof_page_template_end - prof_page_template_begin));
  constexpr std::string_view kHead = "<!--@HEAD@-->", kData = "<!--@DATA@-->";
  const std::size_t head = page.find(kHead), data = page.rfind(kData);
  if (head == std::string_view::npos || data == std::string_view::npos || data < head)
    return Error{Errc::internal, "the page template has lost its marks", {}};
  return Template{page.substr(0, head), page.substr(head + kHead.size(), data - head - kHead.size()),
                  page.substr(data + kData.size())};
}

// Row-local name ids, the most frequent first: they need the fewest bits.
std::vector<std::uint32_t> local_names(std::vector<RowItem>& items) {
  std::map<std::uint32_t, std::int64_t> count;
  for (const RowItem& item : items)
    ++count[item.name];
  std::vector<std::uint32_t> dictionary;
  for (const auto& [name, n] : count)
    dictionary.push_back(name);
  std::ranges::stable_sort(dictionary, std::greater<>(), [&](std::uint32_t name) { return count[name]; });
  std::map<std::uint32_t, std::uint32_t> local;
  for (std::uint32_t i = 0; i < dictionary.size(); ++i)
    local[dictionary[i]] = i;
  for (RowItem& item : items)
    item.name = local[item.name];
  return dictionary;
}

// The bytes of one level: busy, then the low and the high bytes of the names.
void put_level(std::string& out, const PyramidLevel& level) {
  for (const std::uint8_t busy : level.busy)
    out += static_cast<char>(busy);
  for (int shift = 0; shift <= 8; shift += 8)
    for (const std::uint16_t name : level.name)
      out += static_cast<char>(name >> shift & 0xff);
}

// 64-bit values as byte planes: high bytes repeat and compress to nothing.
void put_planes(std::string& out, const std::vector<std::uint64_t>& values) {
  for (unsigned shift = 0; shift < 64; shift += 8)
    for (const std::uint64_t value : values)
      out += static_cast<char>(value >> shift & 0xff);
}

class PageWriter {
public:
  PageWriter(const Store& store, const PageOptions& options, const PageWrite& write)
      : store_(store), t_(store.tables()), options_(options), names_(store),
        write_([this, &write](std::string_view bytes) {
          stats_.bytes += static_cast<std::int64_t>(bytes.size());
          return write(bytes);
        }) {}

  Result<PageStats> run() {
    PROF_TRY(const Template page, split_template());
    rows_ = build_rows(store_);
    measure_rows();
    PROF_CHECK(write_(page.head));
    PROF_CHECK(script("meta", page_meta(store_, options_, rows_, names_)));
    PROF_CHECK(section("overview", overview_));
    PROF_CHECK(write_(page.middle));
    PROF_CHECK(section("pyramid", pyramid_));
    PROF_CHECK(write_rows());
    PROF_CHECK(write_requests());
    PROF_CHECK(json_section("operators", operators_json(store_)));
    PROF_CHECK(write_flows());
    PROF_CHECK(write_args());
    PROF_CHECK(write_counters());
    if (has_view("flamegraph")) PROF_CHECK(write_flames());
    if (has_view("heatmap")) PROF_CHECK(write_heat());
    for (std::uint32_t i = 0; i < t_.thread.tid.size(); ++i)
      directory_["threads"].push_back(thread_label(store_, i));
    PROF_CHECK(script("directory", directory_));
    PROF_CHECK(write_(page.tail));
    stats_.rows = static_cast<std::int64_t>(rows_.rows.size());
    stats_.items = rows_.items;
    stats_.samples = static_cast<std::int64_t>(t_.sample.ts.size());
    return stats_;
  }

private:
  [[nodiscard]] bool has_view(std::string_view view) const {
    return std::ranges::find(options_.views, view) != options_.views.end();
  }
  Status script(std::string_view id, const json& value) {
    PROF_CHECK(write_("<script type=\"application/json\" id=\"" + std::string(id) + "\">"));
    PROF_CHECK(write_(script_json(value)));
    return write_("</script>\n");
  }
  Status section(const std::string& name, std::string_view raw) {
    PROF_TRY(const std::string packed, deflate_raw(raw));
    PageStream stream(name, write_);
    PROF_CHECK(stream.append(packed));
    PROF_CHECK(stream.finish());
    directory_["parts"][name] = stream.parts();
    return {};
  }
  Status json_section(const std::string& name, const json& value) {
    return section(name, value.dump(-1, ' ', false, json::error_handler_t::replace));
  }
  void progress(std::size_t done) const {
    if (options_.progress)
      options_.progress(static_cast<double>(done), 2 * static_cast<double>(rows_.rows.size()));
  }

  // First pass: page names and pyramids, which stand before the rows.
  void measure_rows() {
    const std::int64_t duration = std::max<std::int64_t>(1, store_.end().ns - store_.start().ns);
    json levels = json::array();
    for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
      const std::vector<PyramidLevel> pyramid = build_pyramid(row_items(store_, rows_.rows[r], names_),
                                                              duration, overview_buckets(rows_.rows.size()));
      put_level(overview_, pyramid.back());
      json of_row = json::array();
      for (std::size_t i = 0; i + 1 < pyramid.size(); ++i) {
        of_row.push_back({pyramid[i].k, pyramid[i].busy.size()});
        put_level(pyramid_, pyramid[i]);
      }
      levels.push_back(std::move(of_row));
      progress(r);
    }
    directory_["levels"] = std::move(levels);
  }
  Status write_rows() {
    PageStream stream("rows", write_);
    json rows = json::array();
    for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
      std::vector<RowItem> items = row_items(store_, rows_.rows[r], names_);
      const std::vector<std::uint32_t> dictionary = local_names(items);
      const std::string packed = pack_row(items);
      rows.push_back({stream.size(), packed.size(), dictionary});
      PROF_CHECK(stream.append(packed));
      progress(rows_.rows.size() + r);
    }
    PROF_CHECK(stream.finish());
    directory_["rows"] = std::move(rows);
    directory_["parts"]["rows"] = stream.parts();
    return {};
  }

  Status write_requests() {
    json requests = json::array(), stages = json::array();
    for (std::size_t i = 0; i < t_.request.slice.size(); ++i) {
      const std::uint32_t slice = t_.request.slice[i];
      requests.push_back({t_.request.ts[i] - store_.start().ns, t_.request.dur[i],
                          shortened(store_.text(t_.request.name[i]), 200),
                          std::to_string(t_.request.request_id[i]),
                          shortened(store_.text(t_.request.status[i]), 100), row_of(slice), slice});
    }
    for (std::size_t i = 0; i < t_.stage.slice.size(); ++i)
      stages.push_back({t_.stage.request[i] == kNoRow ? json(-1) : json(t_.stage.request[i]),
                        t_.stage.ts[i] - store_.start().ns, t_.stage.dur[i],
                        shortened(store_.text(t_.stage.name[i]), 200), store_.text(t_.stage.wait_class[i]),
                        row_of(t_.stage.slice[i]),
                        t_.stage.thread[i] == kNoRow ? "" : thread_label(store_, t_.stage.thread[i])});
    return json_section("requests",
                        {{"requests", requests}, {"stages", stages}, {"accounting", accounting()}});
  }
  [[nodiscard]] json row_of(std::uint32_t slice) const {
    return slice < rows_.row_of_slice.size() && rows_.row_of_slice[slice] != kNoRow
               ? json(rows_.row_of_slice[slice])
               : json(-1);
  }
  // Exclusive time classes per request, from the same table that diagnose uses; null where the store cannot
  // say.
  [[nodiscard]] json accounting() const {
    if (t_.request.slice.empty()) return nullptr;
    auto sql = Sql::open(store_);
    if (!sql) return nullptr;
    const auto result = sql->query("select request_id, class, ns from request_time where ns > 0");
    if (!result) return nullptr;
    json rows = json::array();
    for (const auto& row : result->rows) {
      if (row.size() != 3 || !std::holds_alternative<std::int64_t>(row[0]) ||
          !std::holds_alternative<std::string>(row[1]))
        continue;
      const auto* ns = std::get_if<std::int64_t>(&row[2]);
      rows.push_back(
          {std::get<std::int64_t>(row[0]), std::get<std::string>(row[1]), ns != nullptr ? *ns : 0});
    }
    return rows;
  }

  Status write_flows() {
    struct Flow {
      std::uint32_t from_row, to_row;
      std::int64_t from_ts, from_dur, to_ts, to_dur;
    };
    std::vector<Flow> flows;
    const auto add = [&](std::uint32_t out, bool is_kernel, std::uint32_t in) {
      const std::vector<std::uint32_t>& rows = is_kernel ? rows_.row_of_kernel : rows_.row_of_slice;
      if (out >= rows_.row_of_slice.size() || in >= rows.size() || rows_.row_of_slice[out] == kNoRow ||
          rows[in] == kNoRow)
        return;
      flows.push_back({rows_.row_of_slice[out], rows[in], t_.slice.ts[out], t_.slice.dur[out],
                       is_kernel ? t_.kernel.ts[in] : t_.slice.ts[in],
                       is_kernel ? t_.kernel.dur[in] : t_.slice.dur[in]});
    };
    std::vector<bool> has_flow(t_.kernel.ts.size());
    for (std::size_t i = 0; i < t_.flow.slice_out.size(); ++i) {
      const bool is_kernel = t_.flow.kernel_in[i] != kNoRow;
      if (is_kernel && t_.flow.kernel_in[i] < has_flow.size()) has_flow[t_.flow.kernel_in[i]] = true;
      add(t_.flow.slice_out[i], is_kernel, is_kernel ? t_.flow.kernel_in[i] : t_.flow.slice_in[i]);
    }
    for (std::uint32_t k = 0; k < t_.kernel.launch.size(); ++k)
      if (t_.kernel.launch[k] != kNoRow && !has_flow[k]) add(t_.kernel.launch[k], true, k);
    std::ranges::stable_sort(flows, {}, [](const Flow& f) { return std::pair(f.from_row, f.from_ts); });
    std::string raw;
    // As the rows say it (page_rows.cpp): the page looks for equal times, and a double holds times since 1970
    // in steps of 256 ns.
    const auto since_start = [zero = store_.start().ns](std::int64_t ts) {
      return static_cast<double>(std::max<std::int64_t>(0, ts - zero));
    };
    for (const Flow& f : flows)
      put(raw, since_start(f.from_ts));
    for (const Flow& f : flows)
      put(raw, static_cast<double>(f.from_dur));
    for (const Flow& f : flows)
      put(raw, since_start(f.to_ts));
    for (const Flow& f : flows)
      put(raw, static_cast<double>(f.to_dur));
    for (const Flow& f : flows)
      put(raw, f.from_row);
    for (const Flow& f : flows)
      put(raw, f.to_row);
    directory_["flows"] = flows.size();
    return flows.empty() ? Status() : section("flows", raw);
  }

  Status write_args() {
    const auto sets = static_cast<std::uint32_t>(t_.arg.set_begin.empty() ? 0 : t_.arg.set_begin.size() - 1);
    for (std::uint32_t from = 0; from < sets; from += kArgSetsPerChunk)
      PROF_CHECK(json_section("args" + std::to_string(from / kArgSetsPerChunk),
                              args_json(store_, from, from + kArgSetsPerChunk)));
    directory_["argChunk"] = kArgSetsPerChunk;
    return {};
  }

  Status write_counters() {
    for (std::uint32_t c = 0; c < t_.counter_track.name.size(); ++c) {
      const auto range = std::ranges::equal_range(t_.counter.track, c);
      const auto from = static_cast<std::size_t>(range.begin() - t_.counter.track.begin());
      std::vector<std::uint64_t> steps, values;
      std::int64_t last = store_.start().ns;
      for (std::size_t i = from; i < from + range.size(); ++i) {
        steps.push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(0, t_.counter.ts[i] - last)));
        values.push_back(std::bit_cast<std::uint64_t>(t_.counter.value[i]));
        last = std::max(last, t_.counter.ts[i]);
      }
      if (steps.empty()) continue;
      std::string raw;
      put_planes(raw, steps);
      put_planes(raw, values);
      PROF_CHECK(section("counter" + std::to_string(c), raw));
    }
    return {};
  }

  Status write_flames() {
    const std::vector<FlameTree> trees = build_flame_trees(store_);
    const Assembly assembly = disassemble_hot_functions(store_, trees, options_.read_binaries);
    json heads = json::array();
    for (std::size_t i = 0; i < trees.size(); ++i) {
      heads.push_back(flame_json(trees[i]));
      PROF_CHECK(section("flame" + std::to_string(i), flame_columns(trees[i], assembly.function_of_pc[i])));
    }
    json files = json::array();
    for (const FlameTree& tree : trees) {
      json of_tree = json::array();
      for (const FlamePc& pc : tree.pcs)
        of_tree.push_back(source_file(pc.source_file));
      files.push_back(std::move(of_tree));
    }
    json head{{"trees", heads},
              {"mappings", mappings_json(store_, assembly)},
              {"pcFiles", files},
              {"files", source_files_},
              {"functions", assembly.functions.size()},
              {"requests", finished_requests(store_)}};
    PROF_TRY(head["baseline"], write_baseline_flames());
    PROF_CHECK(json_section("flames", head));
    for (std::size_t i = 0; i < assembly.functions.size(); ++i)
      PROF_CHECK(json_section("asm" + std::to_string(i), assembly_json(assembly.functions[i])));
    return {};
  }
  // The same graph of another trace, without instructions: the page colours what grew and what shrank.
  Result<json> write_baseline_flames() {
    if (options_.baseline == nullptr) return json(nullptr);
    json heads = json::array();
    const std::vector<FlameTree> trees = build_flame_trees(*options_.baseline);
    for (std::size_t i = 0; i < trees.size(); ++i) {
      FlameTree tree = trees[i];
      tree.pcs.clear();
      tree.hits.clear();
      heads.push_back(flame_json(tree));
      PROF_CHECK(section("baseFlame" + std::to_string(i), flame_columns(tree, {})));
    }
    return json{{"name", shortened(options_.baseline_name, 1000)},
                {"requests", finished_requests(*options_.baseline)},
                {"trees", std::move(heads)}};
  }
  static std::int64_t finished_requests(const Store& store) {
    return std::ranges::count_if(store.tables().request.status,
                                 [&](StrId status) { return store.text(status) != "unfinished"; });
  }
  std::size_t source_file(StrId id) {
    const auto [at, is_new] = source_file_index_.try_emplace(id.row, source_files_.size());
    if (is_new) source_files_.push_back(shortened(store_.text(id), 1000));
    return at->second;
  }
  // f64 weight, f64 pc; u32 parent, name, count, kind per node; u32 mapping, line, self per pc, i32 function;
  // u32 node, pc, self, total per hit.
  [[nodiscard]] static std::string flame_columns(const FlameTree& tree,
                                                 const std::vector<std::int32_t>& functions) {
    std::string raw;
    for (const FlameNode& node : tree.nodes)
      put(raw, static_cast<double>(node.weight));
    for (const FlamePc& pc : tree.pcs)
      put(raw, static_cast<double>(pc.rel_pc));
    for (const FlameNode& node : tree.nodes)
      put(raw, node.parent);
    for (const FlameNode& node : tree.nodes)
      put(raw, node.name);
    for (const FlameNode& node : tree.nodes)
      put(raw, node.count);
    for (const FlameNode& node : tree.nodes)
      put(raw, static_cast<std::uint32_t>(node.kind));
    for (const FlamePc& pc : tree.pcs)
      put(raw, pc.mapping);
    for (const FlamePc& pc : tree.pcs)
      put(raw, pc.line);
    for (const FlamePc& pc : tree.pcs)
      put(raw, pc.self);
    for (const std::int32_t function : functions)
      put(raw, function);
    for (const FlameHit& hit : tree.hits)
      put(raw, hit.node);
    for (const FlameHit& hit : tree.hits)
      put(raw, hit.pc);
    for (const FlameHit& hit : tree.hits)
      put(raw, hit.self);
    for (const FlameHit& hit : tree.hits)
      put(raw, hit.total);
    return raw;
  }

  Status write_heat() {
    const HeatMap heat = build_heat_map(store_);
    std::string raw;
    for (const HeatRow& row : heat.rows)
      for (const std::uint8_t busy : row.busy)
        raw += static_cast<char>(busy);
    PROF_CHECK(json_section("heatHead", heat_json(heat)));
    return raw.empty() ? Status() : section("heat", raw);
  }

  const Store& store_;
  const Tables& t_;
  const PageOptions& options_;
  PageNames names_;
  PageWrite write_;
  PageRows rows_;
  PageStats stats_;
  std::string overview_, pyramid_;
  json directory_ = json{{"parts", json::object()}, {"threads", json::array()}};
  std::map<std::uint32_t, std::size_t> source_file_index_;
  std::vector<std::string> source_files_;
};

} // namespace

Result<PageStats> write_html_page(const Store& store, const PageOptions& options, const PageWrite& write) {
  static constexpr std::array<std::string_view, 3> kViews{"timeline", "flamegraph", "heatmap"};
  if (options.views.empty())
    return Error{Errc::bad_argument, "no view was named; allowed: timeline, flamegraph, heatmap", {}};
  for (const std::string& view : options.views)
    if (std::ranges::find(kViews, view) == kViews.end())
      return Error{Errc::bad_argument, "no view '" + view + "'; allowed: timeline, flamegraph, heatmap", {}};
  return PageWriter(store, options, write).run();
}

} // namespace prof
