// prof_sdk.hpp: the annotation SDK as C++ classes (prof_sdk.h says what each thing costs and which threads
// may call it).
//
//   prof::sdk::service("poetry_poster_service");
//   prof::sdk::Request request(PROF_NAME("poster"));
//   { prof::sdk::Attach working(request.id()); prof::sdk::Stage stage(PROF_NAME("denoise")); ... }
//   request.finish(PROF_OK);
#pragma once
#include "prof_sdk.h"

#include <string_view>

// The interned name of a literal: looked up once per call site.
#define PROF_NAME(literal)                                                                                   \
  ([]() noexcept -> prof_name {                                                                              \
    static const prof_name prof_interned_ = ::prof_intern_n(literal, sizeof(literal) - 1);                   \
    return prof_interned_;                                                                                   \
  }())
#define PROF_JOIN_(a, b) a##b
#define PROF_JOIN(a, b) PROF_JOIN_(a, b)
// A span, or a stage of the attached request, until the end of the block.
#define PROF_SPAN(literal) const ::prof::sdk::Span PROF_JOIN(prof_span_, __LINE__)(PROF_NAME(literal))
#define PROF_STAGE(literal) const ::prof::sdk::Stage PROF_JOIN(prof_stage_, __LINE__)(PROF_NAME(literal))

// A namespace of its own: these words (Request, Span) are the annotated service's, not the trace
// vocabulary's.
namespace prof::sdk {

inline void service(std::string_view name) {
  prof_sdk_api->service(name.data(), name.size());
}
inline prof_name intern(std::string_view text) {
  return prof_intern_n(text.data(), text.size());
}

// A request of which this object is the owner: an object destroyed before finish() ends its request as
// cancelled.
class Request {
public:
  Request() = default;
  explicit Request(prof_name name, std::uint64_t begin_ticks = 0)
      : id_(prof_request_begin_at(name, begin_ticks)) {}
  Request(Request&& other) noexcept : id_(other.id_) { other.id_ = 0; }
  Request& operator=(Request&& other) noexcept {
    if (this != &other) {
      finish(PROF_CANCELLED);
      id_ = other.id_;
      other.id_ = 0;
    }
    return *this;
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  ~Request() { finish(PROF_CANCELLED); }

  void finish(prof_status status) {
    prof_request_end(id_, status);
    id_ = 0;
  }
  // For Attach, Stage and wait(); may be copied to other threads.
  [[nodiscard]] prof_request id() const { return id_; }

private:
  prof_request id_ = 0;
};

// This thread works for a request until the end of the block.
class Attach {
public:
  explicit Attach(prof_request request) : before_(prof_attach(request)) {}
  Attach(const Attach&) = delete;
  Attach& operator=(const Attach&) = delete;
  ~Attach() { prof_detach(before_); }

private:
  prof_request before_;
};

// A span of this thread until the end of the block. Not movable: it ends where it began.
class Span {
public:
  explicit Span(prof_name name) : span_(prof_span_begin(name)) {}
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;
  ~Span() { prof_span_end(span_); }

  void arg(prof_name key, std::int64_t value) const { prof_span_int(span_, key, value); }
  void arg(prof_name key, double value) const { prof_span_double(span_, key, value); }
  void arg(prof_name key, std::string_view value) const {
    if (span_ != 0) prof_sdk_api->span_arg(span_, key, PROF_ARG_TEXT, intern(value));
  }
  [[nodiscard]] std::uint64_t flow_out() const { return prof_flow_out(span_); }
  void flow_in(std::uint64_t flow) const { prof_flow_in(span_, flow); }
  // False while nobody records: lets the caller leave out the work of making arguments.
  explicit operator bool() const { return span_ != 0; }

protected:
  struct Begun {
    prof_span span;
  };
  explicit Span(Begun begun) : span_(begun.span) {}

private:
  prof_span span_;
};

// A stage of the attached request, or of a batch of requests.
class Stage : public Span {
public:
  explicit Stage(prof_name name) : Span(Begun{prof_stage_begin(name)}) {}
  Stage(prof_name name, const prof_request* requests, std::size_t count)
      : Span(Begun{prof_stage_begin_for(name, requests, static_cast<std::uint32_t>(count))}) {}
};

// One run of an operator described with prof_op_define, until the end of the block.
class Op {
public:
  explicit Op(prof_op op) : op_(op), begin_(prof_ticks()) {}
  Op(const Op&) = delete;
  Op& operator=(const Op&) = delete;
  ~Op() { prof_op_end(op_, begin_); }

private:
  prof_op op_;
  std::uint64_t begin_;
};

inline void wait(prof_request request, prof_name name, std::uint64_t begin_ticks, std::uint64_t end_ticks,
                 prof_wait_class wait_class) {
  prof_wait(request, name, begin_ticks, end_ticks, wait_class);
}
inline void wait_begin(prof_request request, prof_name name, std::uint64_t begin_ticks,
                       prof_wait_class wait_class) {
  prof_wait_begin(request, name, begin_ticks, wait_class);
}
inline void counter(prof_name name, double value, prof_name unit = 0) {
  prof_counter(name, unit, value);
}

} // namespace prof::sdk
