set(test_libs prof_report prof_import prof_tracefile)
# Makes synthetic traces and pages: for the tests in a browser and the viewer benchmark.
add_executable(page_maker report/tools/page_maker.cpp report/tools/synthetic_service.cpp report/tools/edge_traces.cpp)
target_link_libraries(page_maker PRIVATE prof_report prof_tracefile prof_store)
