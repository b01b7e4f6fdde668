set(test_libs prof_report prof_import prof_store prof_tracefile PkgConfig::SQLITE PkgConfig::ZLIB PkgConfig::ZSTD
  -Wl,--wrap=read) # every_reader.cpp gives out files in small pieces
