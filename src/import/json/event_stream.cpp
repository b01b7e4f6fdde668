#include "import/json/event_stream.hpp"

#include "base/lang.hpp"
#include "import/json/event_scanner.hpp"
#include "import/json/text_window.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace prof::json {
namespace {

constexpr std::size_t kPiece = std::size_t{256} * 1024; // text per batch: stays in the second-level cache
constexpr std::size_t kMaxElement = std::size_t{64} << 20;
constexpr std::size_t kMaxMember = std::size_t{4} << 20; // of a top-level member that is handed on

// Parses batches on other threads and gives them back in order.
class Parsers {
public:
  explicit Parsers(const std::function<void(const EventBatch&)>& take) : take_(take) {
    const unsigned cores = std::max(2U, std::thread::hardware_concurrency());
    const unsigned count = std::min(4U, cores - 1);
    slots_.resize(std::size_t{count} + 2);
    for (auto& slot : slots_)
      slot = std::make_unique<Slot>();
    for (unsigned i = 0; i < count; ++i)
      threads_.emplace_back([this] { work(); });
  }
  Parsers(const Parsers&) = delete;
  Parsers& operator=(const Parsers&) = delete;
  ~Parsers() {
    {
      const std::scoped_lock lock(mutex_);
      is_stopping_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_)
      thread.join();
  }

  void add(std::string_view text, std::int64_t offset, std::string_view first_key, bool is_damaged) {
    Slot& slot = *slots_[added_ % slots_.size()];
    if (added_ - taken_ == slots_.size()) take_one();
    std::memcpy(slot.batch.prepare(text.size()), text.data(), text.size());
    slot.offset = offset;
    slot.first_key = first_key;
    slot.is_damaged = is_damaged;
    slot.is_parsed = false;
    {
      const std::scoped_lock lock(mutex_);
      ++added_;
    }
    changed_.notify_all();
  }
  void finish() {
    while (taken_ < added_)
      take_one();
  }
  [[nodiscard]] const EventLosses& losses() const { return losses_; }
  [[nodiscard]] std::int64_t events() const { return events_; }

private:
  struct Slot {
    EventBatch batch;
    std::int64_t offset = 0;
    std::string first_key;
    bool is_damaged = false, is_parsed = false;
  };

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return is_stopping_ || begun_ < added_; });
      if (begun_ == added_) return;
      Slot& slot = *slots_[begun_++ % slots_.size()];
      lock.unlock();
      slot.batch.parse(slot.offset, slot.first_key, slot.is_damaged);
      lock.lock();
      slot.is_parsed = true;
      changed_.notify_all();
    }
  }
  // The caller's thread parses too when the next batch has not been begun.
  void take_one() {
    Slot& slot = *slots_[taken_ % slots_.size()];
    {
      std::unique_lock lock(mutex_);
      if (begun_ == taken_) {
        ++begun_;
        lock.unlock();
        slot.batch.parse(slot.offset, slot.first_key, slot.is_damaged);
      } else {
        changed_.wait(lock, [&] { return slot.is_parsed; });
      }
    }
    const EventLosses& losses = slot.batch.losses();
    losses_.dropped += losses.dropped;
    losses_.repaired += losses.repaired;
    losses_.bad_times += losses.bad_times;
    if (losses_.first_offset < 0) losses_.first_offset = losses.first_offset;
    events_ += std::ssize(slot.batch.events());
    take_(slot.batch);
    ++taken_;
  }

  const std::function<void(const EventBatch&)>& take_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t added_ = 0, begun_ = 0, taken_ = 0;
  bool is_stopping_ = false;
  EventLosses losses_;
  std::int64_t events_ = 0;
};

class Stream {
public:
  Stream(TextWindow& window, const EventHandler& handler)
      : window_(window), handler_(handler), parsers_(handler.on_events) {}

  Result<StreamReport> run();

private:
  Result<bool> to_next(bool skip_commas);
  Status read_top();
  Status read_object();
  Result<std::string> read_key();
  Status skip_or_hand_on(std::string_view key);
  Status read_array();
  Status take_damaged(bool& is_done);

  TextWindow& window_;
  const EventHandler& handler_;
  Parsers parsers_;
  StreamReport report_;
  std::string first_key_;
  bool has_array_ = false;
};

// Consumes white space; false at the end of the file.
Result<bool> Stream::to_next(bool skip_commas) {
  for (;;) {
    const std::size_t at = skip_space(window_.text(), 0, skip_commas);
    const bool is_there = at < window_.text().size();
    window_.consume(at);
    if (is_there) return true;
    PROF_TRY(const bool got, window_.more());
    if (!got) return false;
  }
}

Status Stream::take_damaged(bool& is_done) {
  // From here on, brackets cannot be counted: the next element is found by its first key.
  for (std::size_t from = 1;;) {
    const std::size_t next =
        first_key_.empty() ? std::string_view::npos : find_event(window_.text(), first_key_, from);
    if (next != std::string_view::npos) {
      parsers_.add(window_.text().substr(0, next), window_.offset(), first_key_, true);
      window_.consume(next);
      return {};
    }
    from = window_.text().size() > 256 ? window_.text().size() - 256 : 1;
    bool got = false;
    if (window_.text().size() <= kMaxElement) {
      PROF_TRY(got, window_.more());
    }
    if (got) continue;
    parsers_.add(window_.text(), window_.offset(), first_key_, true);
    window_.consume(window_.text().size());
    if (window_.is_at_end()) {
      is_done = true;
      report_.is_cut = true;
      return {};
    }
    from = 0;
  }
}

Status Stream::read_array() {
  has_array_ = true;
  for (;;) {
    PROF_TRY(const bool is_there, to_next(true));
    if (!is_there) {
      report_.is_cut = true;
      return {};
    }
    if (window_.text().front() == ']') {
      window_.consume(1);
      return {};
    }
    PROF_TRY(const bool has_key, window_.fill(256));
    (void)has_key;
    const std::string_view key = first_key(window_.text().substr(0, 256));
    if (first_key_.empty()) first_key_ = key;
    Cut cut = key.empty() && !first_key_.empty() ? Cut{.kind = Cut::Kind::broken}
                                                 : cut_events(window_.text(), kPiece);
    while (cut.kind == Cut::Kind::open && window_.text().size() <= kMaxElement) {
      PROF_TRY(const bool got, window_.more());
      if (!got) break;
      cut = cut_events(window_.text(), kPiece);
    }
    if (cut.kind == Cut::Kind::events || (cut.kind == Cut::Kind::closed && cut.end > 0)) {
      parsers_.add(window_.text().substr(0, cut.end), window_.offset(), first_key_, false);
      window_.consume(cut.end);
    } else if (cut.kind != Cut::Kind::closed) {
      bool is_done = false;
      PROF_CHECK(take_damaged(is_done));
      if (is_done) return {};
    }
  }
}

Result<std::string> Stream::read_key() {
  for (;;) {
    const std::string_view text = window_.text();
    const std::size_t end = text.find('"', 1);
    if (end != std::string_view::npos) {
      std::string key(text.substr(1, end - 1));
      window_.consume(end + 1);
      return key;
    }
    bool got = false;
    if (text.size() <= kMaxMember) {
      PROF_TRY(got, window_.more());
    }
    if (!got) return error_said(Errc::malformed, "error.json_key_cut", {});
  }
}

Status Stream::skip_or_hand_on(std::string_view key) {
  for (;;) {
    const std::size_t end = end_of_value(window_.text(), 0);
    if (end != std::string_view::npos) {
      if (end <= kMaxMember && handler_.on_member) handler_.on_member(key, window_.text().substr(0, end));
      window_.consume(end);
      return {};
    }
    bool got = false;
    if (window_.text().size() <= kMaxElement) {
      PROF_TRY(got, window_.more());
    }
    if (!got) {
      report_.is_cut = true;
      window_.consume(window_.text().size());
      return {};
    }
  }
}

Status Stream::read_object() {
  for (;;) {
    PROF_TRY(const bool is_there, to_next(true));
    if (!is_there) {
      report_.is_cut = true;
      return {};
    }
    const char c = window_.text().front();
    if (c == '}') {
      window_.consume(1);
      return {};
    }
    if (c != '"')
      return error_said(Errc::malformed, "error.not_json", "offset " + std::to_string(window_.offset()));
    PROF_TRY(const std::string key, read_key());
    PROF_TRY(const bool has_colon, to_next(false));
    if (!has_colon || window_.text().front() != ':')
      return error_said(Errc::malformed, "error.json_no_colon", "offset " + std::to_string(window_.offset()));
    window_.consume(1);
    PROF_TRY(const bool has_value, to_next(false));
    if (!has_value) continue;
    if (key == "traceEvents" && window_.text().front() == '[') {
      window_.consume(1);
      PROF_CHECK(read_array());
    } else {
      PROF_CHECK(skip_or_hand_on(key));
    }
  }
}

Status Stream::read_top() {
  for (;;) {
    PROF_TRY(const bool is_there, to_next(true));
    if (!is_there) return {};
    const char c = window_.text().front();
    if (c != '[' && c != '{')
      return error_said(Errc::malformed, "error.not_json", "offset " + std::to_string(window_.offset()));
    window_.consume(1);
    PROF_CHECK(c == '[' ? read_array() : read_object());
  }
}

Result<StreamReport> Stream::run() {
  PROF_TRY(const bool has_text, window_.fill(3));
  (void)has_text;
  if (window_.text().starts_with("\xef\xbb\xbf")) window_.consume(3);
  Status status = read_top();
  parsers_.finish();
  report_.events = parsers_.events();
  report_.losses = parsers_.losses();
  report_.bytes = window_.offset();
  // What stands after the events may be damaged; the events are kept.
  if (!status && (status.error().code == Errc::io || report_.events == 0)) return std::move(status).error();
  if (!status) report_.is_cut = true;
  if (!has_array_) return error_said(Errc::malformed, "error.no_trace_events", {});
  return report_;
}

} // namespace

Result<StreamReport> stream_events(const std::filesystem::path& path, const EventHandler& handler) {
  PROF_TRY(TextWindow window, TextWindow::open(path));
  return Stream(window, handler).run();
}

} // namespace prof::json
