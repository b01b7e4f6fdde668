// under_sanitizer.hpp: PROF_UNDER_SANITIZER is set in AddressSanitizer builds (GCC and clang say so
// differently). There the check of virtual calls needs a descriptor for a pipe and takes having none for a
// bad object, and all runs slower. PROF_UNDER_TSAN: in ThreadSanitizer builds, whose shadow is several times
// the memory that a program touches.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define PROF_UNDER_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PROF_UNDER_SANITIZER 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define PROF_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PROF_UNDER_TSAN 1
#endif
#endif
