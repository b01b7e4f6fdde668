#include "import/xplane/plane.hpp"

#include <algorithm>
#include <protozero/exception.hpp>
#include <utility>

namespace prof::xplane {
namespace {

using detail::Message;

constexpr std::int64_t kMaxNs = std::int64_t{1} << 61; // sums of two stay in 64 bits

void event_type_into(Message entry, Plane& plane) {
  std::int64_t id = 0;
  EventType type;
  while (entry.next()) {
    if (entry.tag() == 1) {
      id = entry.integer();
    } else if (entry.tag() == 2) {
      Message value = entry.message();
      while (value.next()) {
        switch (value.tag()) {
        case 2:
          type.name = value.bytes();
          break;
        case 4:
          type.display_name = value.bytes();
          break;
        case 5:
          type.stats.push_back(value.bytes());
          break;
        default:
          value.skip();
        }
      }
    } else {
      entry.skip();
    }
  }
  plane.events[id] = std::move(type);
}

void stat_name_into(Message entry, Plane& plane) {
  std::int64_t id = 0;
  std::string_view name;
  while (entry.next()) {
    if (entry.tag() == 1) {
      id = entry.integer();
    } else if (entry.tag() == 2) {
      Message value = entry.message();
      while (value.next(2))
        name = value.bytes();
    } else {
      entry.skip();
    }
  }
  plane.stat_names[id] = name;
}

void event_into(Line& line, std::string_view bytes, LineLosses& losses) {
  Event event{.bytes = bytes};
  std::int64_t offset_ps = 0, dur_ps = 0;
  bool is_aggregate = false;
  Message from(bytes);
  while (from.next()) {
    switch (from.tag()) {
    case 1:
      event.type = from.integer();
      break;
    case 2:
      offset_ps = from.integer();
      break;
    case 3:
      dur_ps = from.integer();
      break;
    case 5:
      is_aggregate = true;
      from.skip();
      break;
    default:
      from.skip();
    }
  }
  if (is_aggregate) {
    ++losses.without_time;
    return;
  }
  const bool is_good = line.start_ns >= 0 && line.start_ns < kMaxNs && offset_ps >= 0 && dur_ps >= 0 &&
                       offset_ps < kMaxNs && dur_ps < kMaxNs;
  if (!is_good) {
    ++losses.damaged;
    return;
  }
  // Both ends are rounded down, so that what nests in ps nests in ns.
  event.start = line.start_ns + offset_ps / 1000;
  event.end = line.start_ns + (offset_ps + dur_ps) / 1000;
  line.events.push_back(event);
}

} // namespace

void index(Message from, Plane& plane) {
  while (from.next()) {
    switch (from.tag()) {
    case field::kName:
      plane.name = from.bytes();
      break;
    case field::kLines:
      plane.lines.push_back(from.bytes());
      break;
    case field::kEventMetadata:
      event_type_into(from.message(), plane);
      break;
    case field::kStatMetadata:
      stat_name_into(from.message(), plane);
      break;
    case field::kStats:
      plane.stats.push_back(from.bytes());
      break;
    default:
      from.skip();
    }
  }
}

Stat stat_of(const Plane& plane, std::string_view bytes) {
  Stat stat;
  Message from(bytes);
  while (from.next()) {
    switch (from.tag()) {
    case 1:
      stat.key = from.integer();
      break;
    case 2:
      stat.number = from.real();
      break;
    case 3:
    case 4:
      stat.number = from.integer();
      break;
    case 5:
      stat.text = from.bytes();
      break;
    case 7:
      if (const auto name = plane.stat_names.find(from.integer()); name != plane.stat_names.end())
        stat.text = name->second;
      break;
    default:
      stat.is_bytes = true;
      from.skip();
    }
  }
  return stat;
}

Line line_of(std::string_view bytes, LineLosses& losses) {
  Line line;
  std::vector<std::string_view> events;
  const auto read = [&] {
    Message from(bytes);
    while (from.next()) {
      switch (from.tag()) {
      case 1:
        line.id = from.integer();
        break;
      case 2:
        line.name = from.bytes();
        break;
      case 3:
        line.start_ns = from.integer();
        break;
      case 4:
        events.push_back(from.bytes());
        break;
      case 11:
        line.display_name = from.bytes();
        break;
      default:
        from.skip();
      }
    }
  };
  try {
    read();
    for (const std::string_view event : events)
      event_into(line, event, losses);
  } catch (const protozero::exception&) {
    ++losses.damaged; // the plane around it is whole: only this line ends early
  }
  std::ranges::stable_sort(line.events, [](const Event& a, const Event& b) {
    return std::pair(a.start, b.end) < std::pair(b.start, a.end);
  });
  return line;
}

} // namespace prof::xplane
