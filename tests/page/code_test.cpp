// Samples on pool threads and the disassembly of the functions they hit, in this very program.
#include "../store/trace_builder.hpp"
#include "report/html/assembly.hpp"
#include "report/html/sample_context.hpp"
#include "symbols/symbols.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

extern "C" const char __executable_start;

namespace prof {

__attribute__((noinline)) int page_test_target(int a) {
  volatile int sum = a;
  for (int i = 0; i < 10; ++i)
    sum = sum + i;
  return sum;
}

namespace {

std::string own_path() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}
std::uint64_t own_pc() {
  return static_cast<std::uint64_t>(reinterpret_cast<const char*>(&page_test_target) - &__executable_start);
}

// One sample whose leaf is at `pc` of the file `path`.
Store sampled(const std::string& path, std::string_view build_id, std::uint64_t pc, int samples = 1) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  const auto mapping =
      t.sink().mapping({.path = t.text(path), .build_id = t.text(build_id), .start = 0, .end = 1 << 30});
  const std::vector<Id<Frame>> frames{t.sink().frame(
      {.function = t.text("target"), .mapping = mapping, .rel_pc = pc, .source_file = {}, .line = 0})};
  for (int i = 0; i < samples; ++i)
    t.sink().sample({.ts = Ts{10 + i},
                     .thread = worker.thread,
                     .cpu = 0,
                     .callstack = t.sink().callstack({frames}),
                     .event = t.text("cpu-clock"),
                     .weight = 1});
  return t.seal();
}
Assembly assembly_of(const Store& store, bool read_files = true) {
  return disassemble_hot_functions(store, build_flame_trees(store), read_files);
}

TEST(Assembly, the_function_that_samples_hit_is_disassembled_with_its_lines) {
  const Store store = sampled(own_path(), read_build_id(own_path()), own_pc(), 3);
  const Assembly assembly = assembly_of(store);
  ASSERT_EQ(assembly.functions.size(), 1U);
  const AssemblyFunction& function = assembly.functions[0];
  EXPECT_EQ(function.function, "prof::page_test_target(int)");
  EXPECT_EQ(function.self, 3U);
  EXPECT_EQ(function.start, own_pc());
  ASSERT_FALSE(function.lines.empty());
  EXPECT_EQ(function.lines.front().address, own_pc());
  EXPECT_FALSE(function.lines.front().text.empty());
  const auto has_line = [&](const AssemblyLine& line) {
    return line.line > 0 && function.files[line.file].ends_with("code_test.cpp");
  };
  EXPECT_TRUE(std::ranges::any_of(function.lines, has_line));
  EXPECT_EQ(assembly.function_of_pc[0][0], 0);
  EXPECT_EQ(assembly.mappings[0].code, "");
}

TEST(Assembly, a_mapping_without_disassembly_says_why) {
  const auto why = [](const Store& store, bool read_files) {
    return assembly_of(store, read_files).mappings[0].code;
  };
  EXPECT_EQ(why(sampled(own_path(), "", own_pc()), false), "viewer.asm.off");
  EXPECT_EQ(why(sampled("[vdso]", "", 16), true), "viewer.asm.no_file");
  EXPECT_EQ(why(sampled("/nowhere/libx.so", "", 16), true), "viewer.asm.missing");
  EXPECT_EQ(why(sampled(own_path(), "00ff", own_pc()), true), "viewer.asm.other_build");
}

TEST(Assembly, nothing_is_read_when_files_must_not_be_read) {
  const Assembly assembly = assembly_of(sampled(own_path(), "", own_pc()), false);
  EXPECT_TRUE(assembly.functions.empty());
  EXPECT_EQ(assembly.function_of_pc[0][0], -1);
}

TEST(SampleContext, the_innermost_open_span_decides) {
  TraceBuilder t;
  const auto worker = t.thread(7, 70, "worker");
  t.request(1, 0, 1000).stage("denoise", worker, 100, 900, {1}).op("Conv", worker, 200, 300, "/c");
  const Store store = t.seal();
  const ContextFinder finder(store);
  const SampleContext in_op = finder.at(0, 250, false);
  EXPECT_EQ(in_op.join, JoinKind::own_thread);
  EXPECT_EQ(store.text(in_op.op), "/c");
  EXPECT_EQ(store.text(in_op.op_type), "Conv");
  EXPECT_EQ(store.text(in_op.stage), "denoise");
  EXPECT_EQ(store.text(in_op.request), "poster");
  EXPECT_EQ(finder.at(0, 300, false).join, JoinKind::no_op); // the end is outside
  EXPECT_EQ(finder.at(0, 950, false).join, JoinKind::outside);
  EXPECT_EQ(finder.at(99, 250, false).join, JoinKind::outside);
}

TEST(SampleContext, a_pool_thread_joins_the_only_active_operator_and_no_other) {
  TraceBuilder t;
  const auto a = t.thread(7, 70, "worker-0");
  const auto b = t.thread(7, 71, "worker-1");
  const auto pool = t.thread(7, 80, "pool");
  t.op("Conv", a, 100, 300, "/a").op("Add", b, 200, 400, "/b");
  t.sample(pool, 150, "cpu-clock", {"run"});
  const Store store = t.seal();
  const ContextFinder finder(store);
  const std::uint32_t thread = store.tables().sample.thread[0];
  const SampleContext one = finder.at(thread, 150, true);
  EXPECT_EQ(one.join, JoinKind::joined);
  EXPECT_EQ(store.text(one.op), "/a");
  EXPECT_EQ(finder.at(thread, 250, true).join, JoinKind::ambiguous); // two are active
  EXPECT_EQ(store.text(finder.at(thread, 350, true).op), "/b");
  EXPECT_EQ(finder.at(thread, 450, true).join, JoinKind::outside);
  EXPECT_EQ(finder.at(thread, 150, false).join,
            JoinKind::outside); // its stack is not in the operator library
}

} // namespace
} // namespace prof
