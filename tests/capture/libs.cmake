set(test_libs prof_capture)
set(test_properties RUN_SERIAL ON)
