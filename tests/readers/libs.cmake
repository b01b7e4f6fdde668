set(test_libs prof_report prof_import prof_store prof_tracefile PkgConfig::SQLITE PkgConfig::ZLIB PkgConfig::ZSTD
  -Wl,--wrap=read) # every_reader.cpp gives out files in small pieces
# What writes whole tables as text and compares them is most of what these tests take: optimised, as what they test.
set_source_files_properties(readers/every_reader.cpp readers/table_text.cpp PROPERTIES COMPILE_OPTIONS -O1 SKIP_PRECOMPILE_HEADERS ON)
