set(test_libs prof_capture)
set(test_properties RUN_SERIAL ON)
set_source_files_properties(capture/frameless.cpp PROPERTIES COMPILE_OPTIONS "-O2;-fomit-frame-pointer")
