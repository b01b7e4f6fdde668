#include "report/html/call_tree.hpp"

#include "report/html/flame_nodes.hpp"
#include "report/html/page_bytes.hpp"
#include "store/request_time.hpp"
#include "store/stage_owners.hpp"
#include "trace/conventions.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace prof {
namespace {

constexpr std::size_t kMaxDepth = 512;

class CallTree {
public:
  explicit CallTree(const Store& store)
      : store_(store), t_(store.tables()), owners_(t_, {.stage = store.id_of(words::kStage),
                                                        .covers = store.id_of(words::kArgCovers),
                                                        .process = store.id_of(words::kCoversProcess)}),
        nodes_(tree_, "viewer.flame.all_calls"), op_(store.id_of(words::kOp)),
        stage_(store.id_of(words::kStage)), request_(store.id_of(words::kRequest)),
        recording_(store.id_of("Trace")), op_type_(store.id_of(words::kArgOpType)) {
    tree_.event = kRecordedCalls;
    tree_.is_wall_time = true;
    for (std::size_t i = 0; i < t_.stage.slice.size(); ++i)
      if (t_.stage.request[i] != kNoRow)
        request_of_stage_.try_emplace(t_.stage.slice[i], t_.stage.request[i]);
  }

  // The slices [from, to) of one thread's track.
  void add(std::uint32_t from, std::uint32_t to) {
    track_ = t_.slice.track[from];
    owner_ = {};
    is_owner_known_ = false;
    for (std::uint32_t i = from; i < to; ++i) {
      if (!is_call(i)) continue;
      const std::int64_t ts = t_.slice.ts[i], end = ts + t_.slice.dur[i];
      while (!open_.empty() && open_.back().end <= ts)
        close();
      advance(ts);
      open_.push_back({.slice = i,
                       .end = open_.empty() ? end : std::min(end, open_.back().end),
                       .node = open_.empty() ? node_of(i, context_at(ts)) : node_of(i, open_.back().node)});
      ++tree_.nodes[open_.back().node].count;
    }
    while (!open_.empty())
      close();
  }
  FlameTree finish() { return std::move(tree_); }

private:
  struct Call {
    std::uint32_t slice = 0;
    std::int64_t end = 0; // inside its caller's
    std::uint32_t node = 0;
  };
  [[nodiscard]] bool is_call(std::uint32_t slice) const {
    const StrId category = t_.slice.category[slice];
    if (t_.slice.dur[slice] <= 0 || category.is_empty()) return t_.slice.dur[slice] > 0;
    return category != stage_ && category != request_ && category != recording_;
  }
  // Time up to there belongs to the innermost open call, in the stage that owns it.
  void advance(std::int64_t to) {
    while (!open_.empty() && now_ < to) {
      (void)context_at(now_);
      const std::int64_t part = std::min(to, owner_.to);
      tree_.nodes[open_.back().node].weight += part - now_;
      now_ = part;
    }
    now_ = to;
  }
  void close() {
    advance(open_.back().end);
    open_.pop_back();
  }
  // The node of thread and stage at that time; open calls move along when the stage changes.
  std::uint32_t context_at(std::int64_t ts) {
    if (is_owner_known_ && ts < owner_.to) return context_;
    const std::uint32_t before = owner_.slice;
    owner_ = owners_.at(track_, ts);
    if (is_owner_known_ && owner_.slice == before) return context_;
    is_owner_known_ = true;
    context_ = context_node(owner_.slice);
    for (std::size_t i = 0; i < open_.size(); ++i)
      open_[i].node = node_of(open_[i].slice, i == 0 ? context_ : open_[i - 1].node);
    return context_;
  }
  std::uint32_t context_node(std::uint32_t stage) {
    std::uint32_t node = 0;
    if (stage != kNoRow) {
      const std::string name = without_step_number(store_.text(t_.slice.name[stage]));
      const auto request = request_of_stage_.find(stage);
      const std::string of = request == request_of_stage_.end()
                                 ? ""
                                 : without_step_number(store_.text(t_.request.name[request->second]));
      if (!of.empty()) node = nodes_.child(node, nodes_.name(of), FlameKind::request);
      if (name != of) node = nodes_.child(node, nodes_.name(name), FlameKind::stage);
    } else if (!t_.stage.slice.empty()) {
      node = nodes_.child(0, nodes_.name("viewer.flame.outside"), FlameKind::context);
    }
    const std::uint32_t thread = t_.track.thread[track_];
    std::string label = shortened(store_.text(t_.thread.name[thread]), 100);
    if (label.empty()) label = fmt::format("tid {}", t_.thread.tid[thread]);
    return nodes_.child(node, nodes_.name(label), FlameKind::thread);
  }
  std::uint32_t node_of(std::uint32_t slice, std::uint32_t parent) {
    if (open_.size() >= kMaxDepth) return parent;
    const StrId name = t_.slice.name[slice];
    if (t_.slice.category[slice] != op_ || op_.is_empty())
      return nodes_.child(parent, text(name), FlameKind::function);
    const StrId type = text_arg(t_.arg, t_.slice.arg_set[slice], op_type_);
    const std::uint32_t of_type =
        nodes_.child(parent, text(type.is_empty() ? name : type), FlameKind::op_type);
    return type.is_empty() || type == name ? of_type : nodes_.child(of_type, text(name), FlameKind::op);
  }
  std::uint32_t text(StrId id) {
    const auto [at, is_new] = names_.try_emplace(id.row, 0);
    if (is_new) at->second = nodes_.name(id.is_empty() ? "?" : store_.text(id));
    return at->second;
  }

  const Store& store_;
  const Tables& t_;
  StageOwners owners_;
  FlameTree tree_;
  FlameNodes nodes_;
  StrId op_, stage_, request_, recording_, op_type_; // recording_: Kineto's span of itself
  std::map<std::uint32_t, std::uint32_t> request_of_stage_;
  std::unordered_map<std::uint32_t, std::uint32_t> names_;
  std::vector<Call> open_;
  std::uint32_t track_ = 0, context_ = 0;
  TimeOwners::Part owner_;
  bool is_owner_known_ = false;
  std::int64_t now_ = 0;
};

} // namespace

std::optional<FlameTree> build_call_tree(const Store& store) {
  const Tables& t = store.tables();
  const SliceTable& slices = t.slice;
  const StrId python = store.id_of("python_function");
  const bool has_python =
      !python.is_empty() && std::ranges::find(slices.category, python) != slices.category.end();
  if (!has_python && (!t.sample.ts.empty() || !t.sched.ts.empty())) return std::nullopt;
  CallTree tree(store);
  const auto n = static_cast<std::uint32_t>(slices.ts.size());
  for (std::uint32_t from = 0, to = 0; from < n; from = to) {
    const std::uint32_t track = slices.track[from];
    while (to < n && slices.track[to] == track)
      ++to;
    if (t.track.kind[track] == TrackKind::thread && t.track.thread[track] != kNoRow) tree.add(from, to);
  }
  FlameTree done = tree.finish();
  if (done.nodes.size() == 1) return std::nullopt;
  return done;
}

} // namespace prof
