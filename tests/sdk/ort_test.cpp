// The preloaded shim: operators of a program that knows nothing of us, against ONNX Runtime's own profile.
#include "../under_sanitizer.hpp"
#include "recording.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <sys/wait.h>
#include <unistd.h>

namespace prof {
namespace {

using test::MemorySink;
using test::Recorder;
using test::SliceRow;

const std::filesystem::path kEngine = std::filesystem::path(PROF_SOURCE_DIR) / "third_party/engine";
const std::filesystem::path kShim = std::filesystem::path(PROF_BINARY_DIR) / "lib/libprof_ort.so";

#if defined(PROF_UNDER_SANITIZER) || defined(PROF_UNDER_TSAN)
constexpr bool kIsSanitized = true;
#else
constexpr bool kIsSanitized = false;
#endif

struct Ran {
  pid_t pid = -1;
  int status = -1;
  std::string output;
};

// Runs a program with the shim preloaded (and recording since birth), or without.
Ran run(const std::vector<std::string>& command, bool is_preloaded) {
  Ran ran;
  int out[2];
  if (pipe(out) != 0) return ran;
  ran.pid = fork();
  if (ran.pid == 0) {
    dup2(out[1], 1);
    if (is_preloaded) {
      setenv("LD_PRELOAD", kShim.c_str(), 1);
      setenv("PROF_RECORD", "1", 1);
    }
    std::vector<char*> argv;
    for (const std::string& word : command)
      argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    execv(argv[0], argv.data());
    _exit(127);
  }
  close(out[1]);
  char buffer[4096];
  for (ssize_t n = 0; (n = read(out[0], buffer, sizeof buffer)) > 0;)
    ran.output.append(buffer, static_cast<std::size_t>(n));
  close(out[0]);
  waitpid(ran.pid, &ran.status, 0);
  return ran;
}

std::string probe(const char* name) {
  return (std::filesystem::path(PROF_BINARY_DIR) / "bin" / name).string();
}

struct Model {
  const char* file;
  const char* dim;
};
struct Build {
  const char* name;
  const char* library;
};
class Shim : public ::testing::TestWithParam<std::tuple<Build, Model>> {
protected:
  void SetUp() override {
    if (kIsSanitized)
      GTEST_SKIP() << "a sanitizer must be the first library of a program, and so must the shim";
    if (!std::filesystem::exists(kShim)) GTEST_SKIP() << "no shim on this processor";
    if (!std::filesystem::exists(library()) || !std::filesystem::exists(model()) ||
        !std::filesystem::exists(probe("ort_probe")))
      GTEST_SKIP() << "no inference engine in third_party/engine: run ./dev setup";
  }
  static std::filesystem::path library() { return kEngine / std::get<0>(GetParam()).library; }
  static std::filesystem::path model() { return kEngine / "models" / std::get<1>(GetParam()).file; }
};

using Counts = std::map<std::string, int>; // "node name / op type"

// A node without a name is "Concat_15" (its index) in the profile and "Concat:its output" in the trace.
Counts without_made_names(const Counts& counts, char mark) {
  Counts out;
  for (const auto& [key, n] : counts) {
    const std::size_t split = key.find(" / ");
    const std::string name = key.substr(0, split), type = key.substr(split + 3);
    const bool is_made =
        name.starts_with(type + mark) &&
        (mark == ':' || name.find_first_not_of("0123456789", type.size() + 1) == std::string::npos);
    out[is_made ? "(unnamed) / " + type : key] += n;
  }
  return out;
}

Counts profile_of(const std::string& output) {
  Counts counts;
  const std::size_t at = output.find("profile ");
  if (at == std::string::npos) return counts;
  const std::string path = output.substr(at + 8, output.find('\n', at) - at - 8);
  std::ifstream file(path);
  for (const auto& event : nlohmann::json::parse(file, nullptr, false)) {
    const std::string name = event.value("name", "");
    if (event.value("cat", "") != "Node" || !name.ends_with("_kernel_time")) continue;
    counts[name.substr(0, name.size() - 12) + " / " + event["args"].value("op_name", "")] += 1;
  }
  std::filesystem::remove(path);
  return counts;
}

TEST_P(Shim, sees_exactly_the_operators_of_the_engines_own_profile) {
  const std::string runs = "5", dim = std::get<1>(GetParam()).dim;
  const std::string prefix = (test::registry() / ("ort_" + std::to_string(getpid()))).string();
  const Ran own =
      run({probe("ort_probe"), library(), model(), runs, "--dim", dim, "--profile", prefix}, false);
  ASSERT_EQ(own.status, 0);
  const Counts expected = profile_of(own.output);
  ASSERT_FALSE(expected.empty());

  const Ran traced =
      run({probe("ort_probe"), library(), std::filesystem::relative(model()), runs, "--dim", dim}, true);
  ASSERT_EQ(traced.status, 0);
  Recorder recorder(traced.pid);
  EXPECT_EQ(recorder.ring->hook_state(), sdk::HookState::hooked);
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(recorder.ring->losses().dropped, 0u);
  Counts seen;
  for (const SliceRow& op : sink.of("op"))
    seen[op.name + " / " + op.arg("op_type")] += 1;
  // Names like "If_0" may also stand in the model: then they are the same on both sides.
  const Counts ours = without_made_names(without_made_names(seen, ':'), '_'),
               engines = without_made_names(expected, '_');
  for (const auto& [key, n] : ours)
    EXPECT_EQ(engines.contains(key) ? engines.at(key) : 0, n) << key;
  for (const auto& [key, n] : engines)
    EXPECT_TRUE(ours.contains(key)) << key;

  const std::vector<SliceRow> model_runs = sink.of("run");
  ASSERT_EQ(model_runs.size(), 5u);
  for (const SliceRow& op : sink.of("op")) {
    EXPECT_EQ(op.arg("model"), std::get<1>(GetParam()).file);
    EXPECT_EQ(op.arg("provider"), "CPUExecutionProvider");
    const bool is_in_a_run = std::any_of(model_runs.begin(), model_runs.end(), [&](const SliceRow& r) {
      return r.track == op.track && op.ts >= r.ts && op.end() <= r.end();
    });
    EXPECT_TRUE(is_in_a_run) << op.name;
  }
  EXPECT_EQ(sink.facts.at(std::string("model.") + std::get<1>(GetParam()).file),
            std::filesystem::canonical(model()).string())
      << "from anywhere, though it was named from here";
}

INSTANTIATE_TEST_SUITE_P(
    Engines, Shim,
    ::testing::Combine(::testing::Values(Build{"stripped_1_29", "lib/libonnxruntime.so"},
                                         Build{"with_symbols_1_28", "lib-sym/libonnxruntime.so"}),
                       ::testing::Values(Model{"ch_ppocr_mobile_v2.0_cls_infer.onnx", "48"},
                                         Model{"face_detection_front_128x128_barracuda.onnx", "128"},
                                         Model{"silero_vad_v5.onnx", "512"},
                                         Model{"ch_PP-OCRv4_rec_infer.onnx", "48"})),
    [](const auto& test) {
      return std::string(std::get<0>(test.param).name) + "_" + std::to_string(test.index);
    });

TEST(ShimShapes, inputs_have_shapes_and_types) {
  if (kIsSanitized || !std::filesystem::exists(probe("ort_probe")))
    GTEST_SKIP() << "no inference engine in third_party/engine: run ./dev setup";
  const auto model = kEngine / "models/ch_ppocr_mobile_v2.0_cls_infer.onnx";
  if (!std::filesystem::exists(model)) GTEST_SKIP() << "no model";
  const Ran traced = run(
      {probe("ort_probe"), kEngine / "lib/libonnxruntime.so", model, "1", "--dim", "48", "--bytes"}, true);
  ASSERT_EQ(traced.status, 0);
  Recorder recorder(traced.pid);
  const MemorySink& sink = recorder.stop();
  const std::vector<SliceRow> ops = sink.of("op");
  const auto conv =
      std::find_if(ops.begin(), ops.end(), [](const SliceRow& op) { return op.arg("op_type") == "Conv"; });
  ASSERT_NE(conv, ops.end());
  EXPECT_EQ(conv->arg("input_shapes").substr(0, 10), "1,3,48,48;");
  EXPECT_EQ(conv->arg("input_dtypes").substr(0, 11), "float;float");
  EXPECT_NE(conv->arg("model"), ""); // loaded from memory: the graph's own name
}

TEST(ShimLocks, contended_mutexes_become_slices_and_both_copies_of_the_sdk_share_one_file) {
  if (kIsSanitized || !std::filesystem::exists(probe("lock_probe"))) GTEST_SKIP() << "not with a sanitizer";
  const Ran traced = run({probe("lock_probe"), "20"}, true);
  ASSERT_EQ(traced.status, 0);
  int files = 0;
  for (const SdkRingFile& file : list_sdk_ring_files())
    files += file.pid == traced.pid ? 1 : 0;
  EXPECT_EQ(files, 1);
  Recorder recorder(traced.pid);
  EXPECT_EQ(recorder.ring->service(), "lock_probe");
  const MemorySink& sink = recorder.stop();
  EXPECT_EQ(sink.count("wait for it"), 20u);
  const std::vector<SliceRow> locks = sink.of("lock");
  EXPECT_EQ(locks.size(), 20u);
  for (const SliceRow& lock : locks) {
    EXPECT_EQ(lock.arg("owner_tid"), std::to_string(traced.pid)); // the main thread held it
    EXPECT_EQ(lock.arg("address").substr(0, 2), "0x");
    EXPECT_GT(lock.dur, 0);
  }
}

// It announces nothing and loads no engine: the shim announces it, so that its first wait is there.
TEST(ShimLocks, a_program_that_knows_nothing_of_us_shows_every_mutex_it_waited_for) {
  if (kIsSanitized || !std::filesystem::exists(probe("mutex_probe"))) GTEST_SKIP() << "not with a sanitizer";
  const Ran traced = run({probe("mutex_probe")}, true);
  ASSERT_EQ(traced.status, 0);
  Recorder recorder(traced.pid);
  EXPECT_EQ(recorder.ring->service(), "mutex_probe");
  const MemorySink& sink = recorder.stop();
  const std::vector<SliceRow> locks = sink.of("lock");
  ASSERT_EQ(locks.size(), 4u);
  for (const SliceRow& lock : locks) {
    EXPECT_EQ(lock.arg("owner_tid"), std::to_string(traced.pid));
    EXPECT_EQ(lock.arg("address"), locks.front().arg("address")); // one mutex
  }
}

TEST(ShimHarmless, programs_without_an_engine_run_as_before) {
  if (kIsSanitized || !std::filesystem::exists(kShim)) GTEST_SKIP() << "not with a sanitizer";
  const Ran plain = run({"/bin/echo", "hello"}, true);
  EXPECT_EQ(plain.status, 0);
  EXPECT_EQ(plain.output, "hello\n");
  Recorder recorder(plain.pid); // announced by the shim, and nothing to say
  EXPECT_TRUE(recorder.stop().slices.empty());
}

} // namespace
} // namespace prof
