// assembly.hpp: the disassembly of the functions that samples hit, read from the files the trace names.
#pragma once
#include "report/html/flame.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace prof {

struct AssemblyLine {
  std::uint64_t address = 0;
  std::string bytes, text;
  std::uint32_t file = 0, line = 0; // file: into AssemblyFunction::files
  bool is_after_cut = false;        // lines without samples were left out before this one
};
struct AssemblyFunction {
  std::uint32_t mapping = kNoRow;
  std::string function;
  std::uint64_t start = 0, end = 0;
  std::uint32_t self = 0;
  std::vector<std::string> files; // [0] is empty
  std::vector<AssemblyLine> lines;
};
// Why a mapping has no disassembly; empty = it has. `code` is a text id, `detail` what the system said.
struct MappingStatus {
  std::string code, detail;
};
struct Assembly {
  std::vector<AssemblyFunction> functions;               // most samples first
  std::vector<MappingStatus> mappings;                   // by mapping row
  std::vector<std::vector<std::int32_t>> function_of_pc; // [tree][pc] -> functions, -1 = none
};

// With `read_files` false nothing is opened and every mapping says so.
[[nodiscard]] Assembly disassemble_hot_functions(const Store& store, const std::vector<FlameTree>& trees,
                                                 bool read_files);

} // namespace prof
