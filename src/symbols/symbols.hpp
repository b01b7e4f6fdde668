// symbols.hpp: from an instruction address in an ELF file to function, source line and disassembly (libdw,
// libiberty, capstone).
#pragma once
#include "base/result.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace prof {

struct SymbolFrame {
  std::string function; // demangled
  std::string source_file;
  std::uint32_t line = 0;
};
struct Instruction {
  std::uint64_t address = 0; // ELF virtual address
  std::string bytes;         // hex
  std::string text;          // "vfmadd231ps zmm0, zmm1, zmm2"
  std::string source_file;   // empty without line information
  std::uint32_t line = 0;
};
struct FunctionRange {
  std::string function;
  std::uint64_t start = 0, end = 0; // ELF virtual addresses
};

// One ELF file. Errors of open: missing, malformed; bad_argument when build_id is given and differs.
class SymbolFile {
public:
  [[nodiscard]] static Result<std::unique_ptr<SymbolFile>> open(const std::filesystem::path& path,
                                                                std::string_view build_id = {});
  virtual ~SymbolFile() = default;
  // Frames at an address, outermost first (inlined functions follow their caller). Empty when nothing is
  // known.
  [[nodiscard]] virtual std::vector<SymbolFrame> lookup(std::uint64_t address) = 0;
  // The function (symbol) that contains the address.
  [[nodiscard]] virtual Result<FunctionRange> function_at(std::uint64_t address) = 0;
  // Instructions of [start, end), at most max_count.
  [[nodiscard]] virtual Result<std::vector<Instruction>> disassemble(std::uint64_t start, std::uint64_t end,
                                                                     std::size_t max_count) = 0;
  // ELF virtual address of a file offset (what a mapping gives): address = offset - p_offset + p_vaddr.
  [[nodiscard]] virtual Result<std::uint64_t> address_of_offset(std::uint64_t file_offset) const = 0;
  [[nodiscard]] virtual const std::string& build_id() const = 0;
};
// The build id (lower-case hex) of an ELF file; empty when it has none.
[[nodiscard]] std::string read_build_id(const std::filesystem::path& path);
// C++, Rust v0 and legacy names; returned unchanged when not mangled.
[[nodiscard]] std::string demangle(std::string_view name);

} // namespace prof
