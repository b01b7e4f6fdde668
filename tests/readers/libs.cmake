set(test_libs prof_import prof_store prof_tracefile PkgConfig::SQLITE)
