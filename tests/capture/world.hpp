// world.hpp: a machine made of ordinary files, and what collectors see in it.
#pragma once
#include "capture/collector.hpp"
#include "capture/shared.hpp"
#include "fake_proc.hpp"
#include "recording_sink.hpp"

#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace prof {

inline const CollectorInfo& collector(std::string_view name) {
  for (const CollectorInfo* info : all_collectors())
    if (info->name == name) return *info;
  throw std::runtime_error("no such collector");
}

// A world of ordinary files with process 20 in it as the target, and what a collector reads there: each
// read() is the first look of a new one.
class World {
public:
  World() { target(20); }
  void target(int pid) {
    request.pids.push_back(pid);
    proc.process(pid, 1, "server", {"server"});
  }
  void read(std::string_view name) {
    request.proc_root = proc.root();
    request.sys_root = sys.root();
    request.shared = std::make_shared<CaptureShared>(proc.root(), request.is_whole_machine);
    for (const std::int64_t pid : request.pids)
      request.shared->add_target(pid);
    running = collector(name).create(request);
    ASSERT_TRUE(running->start(sink));
    running->poll(sink);
  }
  [[nodiscard]] std::vector<double> values(std::string_view name) const {
    std::vector<double> found;
    for (const auto& row : sink.counters)
      if (row.name == name) found.push_back(row.value);
    return found;
  }
  FakeProc proc, sys;
  CaptureRequest request;
  RecordingSink sink;
  std::unique_ptr<Collector> running;
};

} // namespace prof
