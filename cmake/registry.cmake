# registry.cmake: turns a folder of parts into one sorted table, so that adding a part edits no other file.
#
#   prof_registry(TARGET prof_import DIR readers SUFFIX _reader TYPE Reader HEADER import/reader.hpp FUNCTION all_readers)
#
# Each DIR/<name><SUFFIX>.cpp must define:   extern const TYPE <name><SUFFIX>;   const TYPE <name><SUFFIX>{...};
# HEADER must declare:                       std::span<const TYPE* const> FUNCTION();
# A missing or misspelt definition is a link error; nothing is registered by a static constructor (a linker drops those from
# a static library).
function(prof_registry)
  cmake_parse_arguments(R "" "TARGET;DIR;SUFFIX;TYPE;HEADER;FUNCTION" "" ${ARGN})
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/${R_DIR} ${R_DIR}/*${R_SUFFIX}.cpp)
  list(SORT files)
  set(decl "")
  set(rows "")
  list(LENGTH files count)
  foreach(f IN LISTS files)
    string(REPLACE ".cpp" "" id ${f})
    string(APPEND decl "extern const ${R_TYPE} ${id};\n")
    string(APPEND rows "      &${id},\n")
    target_sources(${R_TARGET} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${R_DIR}/${f})
  endforeach()
  set(out ${CMAKE_CURRENT_BINARY_DIR}/${R_FUNCTION}.cpp)
  file(CONFIGURE OUTPUT ${out} @ONLY CONTENT "#include \"${R_HEADER}\"
#include <array>
namespace prof {
${decl}std::span<const ${R_TYPE}* const> ${R_FUNCTION}() {
  static constexpr std::array<const ${R_TYPE}*, ${count}> kAll{
${rows}  };
  return kAll;
}
} // namespace prof
")
  target_sources(${R_TARGET} PRIVATE ${out})
endfunction()
