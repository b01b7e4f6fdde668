// event_writer.hpp: counters, samples with their call stacks, symbols and kernels, each on packet sequences
// of their own.
#pragma once
#include "trace/model.hpp"
#include "tracefile/sequence.hpp"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace prof::detail {

// All counter tracks share one sequence: pollers write many tracks at nearly the same time.
class CounterWriter {
public:
  explicit CounterWriter(WriterCore& core) : core_(core), sequence_(core, {}) {}
  void add(std::uint64_t track_uuid, Ts ts, double value) { rows_.push_back({ts.ns, track_uuid, value}); }
  [[nodiscard]] std::int64_t pending() const { return std::ssize(rows_); }
  void flush();

private:
  struct Row {
    std::int64_t ts;
    std::uint64_t uuid;
    double value;
  };
  WriterCore& core_;
  Sequence sequence_;
  std::vector<Row> rows_;
};

struct CallstackRow {
  std::vector<Id<Frame>> frames;
};

// One sequence per sampled event, whose name stands in its perf_sample_defaults.
class SampleWriter {
public:
  explicit SampleWriter(WriterCore& core) : core_(core) {}
  Id<Mapping> mapping(const Mapping& row);
  Id<Frame> frame(const Frame& row);
  Id<Callstack> callstack(const Callstack& row);
  // pid and tid of the sample's thread; tid < 0 when it has none.
  void add(const Sample& row, std::int64_t pid, std::int64_t tid);
  void symbol(Id<Mapping> mapping, std::uint64_t rel_pc, int inline_depth, StrId function, StrId file,
              std::uint32_t line);
  [[nodiscard]] std::int64_t pending() const { return std::ssize(rows_) + std::ssize(symbols_); }
  void flush();
  // What follows is read without what came before: weights are counted from 0 again, on new sequences.
  void begin_anew() { sequences_.clear(); }

private:
  struct Row {
    std::int64_t ts, pid, tid, weight;
    Id<Callstack> stack;
    StrId event;
    std::int32_t cpu;
  };
  struct SymbolRow {
    std::uint32_t mapping;
    std::uint64_t rel_pc;
    int depth;
    StrId function, file;
    std::uint32_t line;
  };
  struct EventSequence {
    std::unique_ptr<Sequence> sequence;
    std::vector<std::int32_t> mappings, frames, stacks; // by row, see is_due(); iid = row + 1
    std::map<std::int32_t, std::uint64_t> count_of_cpu; // Perfetto's timebase_count is cumulative
  };
  EventSequence& sequence_of(StrId event);
  [[nodiscard]] bool is_due(std::vector<std::int32_t>& defined, std::uint32_t row) const;
  std::uint64_t stack_iid(EventSequence& to, Id<Callstack> stack);
  void define_frame(EventSequence& to, Id<Frame> frame);
  void define_mapping(EventSequence& to, Id<Mapping> mapping);
  void write_sample(const Row& row);
  void write_symbols();
  // What Perfetto joins symbols to frames by: path and build id of the mapping, and the address.
  [[nodiscard]] std::tuple<std::uint32_t, std::uint32_t, std::uint64_t> place_of(std::uint32_t mapping,
                                                                                 std::uint64_t rel_pc) const;

  WriterCore& core_;
  std::vector<Mapping> mappings_;
  std::vector<Frame> frames_;
  std::vector<std::vector<Id<Frame>>> stacks_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t, std::uint64_t>,
           std::uint32_t>
      mapping_index_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t, std::uint32_t, int>,
           std::uint32_t>
      frame_index_;
  std::map<std::vector<Id<Frame>>, std::uint32_t> stack_index_;
  std::map<StrId, EventSequence> sequences_;
  std::vector<Row> rows_;
  std::vector<SymbolRow> symbols_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>> written_; // frames, see place_of()
};

// Kernels as GpuRenderStageEvents, one sequence per stream.
class KernelWriter {
public:
  explicit KernelWriter(WriterCore& core) : core_(core) {}
  // Returns the event id given to the kernel.
  std::uint64_t add(const Kernel& row, const Stream& stream, std::uint32_t device_row);
  [[nodiscard]] std::int64_t pending() const { return std::ssize(rows_); }
  void flush();

private:
  struct Row {
    Kernel kernel; // its args span is empty: they are in args
    std::vector<Arg> args;
    std::uint64_t event_id;
    std::uint32_t device;
    Stream stream;
  };
  Sequence& sequence_of(const Row& row);
  std::string launch_of(Sequence& sequence, const Row& row);
  WriterCore& core_;
  std::map<std::uint32_t, std::unique_ptr<Sequence>> sequences_; // by stream row
  std::vector<Row> rows_;
  std::uint64_t next_event_ = 1;
};

// Lower-case hex to raw bytes, as Perfetto keeps build ids; text that is no hex stays as it is.
[[nodiscard]] std::string raw_build_id(std::string_view hex);

} // namespace prof::detail
