set(bench_libs prof_tracefile prof_store prof_symbols)
set(bench_sources ${CMAKE_SOURCE_DIR}/tests/report/tools/synthetic_service.cpp)
