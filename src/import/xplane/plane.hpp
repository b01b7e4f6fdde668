// plane.hpp: one plane of an XSpace file (*.xplane.pb) as plain rows. All text is views into its bytes.
#pragma once
#include "tracefile/proto_message.hpp"

#include <cstdint>
#include <map>
#include <string_view>
#include <variant>
#include <vector>

namespace prof::xplane {

// Field numbers of tsl/profiler/protobuf/xplane.proto.
namespace field {
inline constexpr std::uint32_t kPlanes = 1, kErrors = 2, kWarnings = 3, kHostnames = 4; // XSpace
inline constexpr std::uint32_t kName = 2, kLines = 3, kEventMetadata = 4, kStatMetadata = 5,
                               kStats = 6; // XPlane
} // namespace field

// A value under a key of the plane's table of names.
struct Stat {
  std::int64_t key = 0;
  std::string_view text; // where it is one; data() is null where it is none
  std::variant<std::int64_t, double> number;
  bool is_bytes = false;
};
// What all events of a type share.
struct EventType {
  std::string_view name, display_name;
  std::vector<std::string_view> stats;
};
// What is known of a plane before its lines are read: the tables that they refer to may come after them.
struct Plane {
  std::string_view name;
  std::vector<std::string_view> lines, stats;
  std::map<std::int64_t, EventType> events;
  std::map<std::int64_t, std::string_view> stat_names;
};
struct Event {
  std::int64_t start = 0, end = 0; // ns
  std::int64_t type = 0;
  std::string_view bytes;
};
struct Line {
  std::int64_t id = 0;
  std::string_view name, display_name;
  std::int64_t start_ns = 0;
  std::vector<Event> events; // by start, longer first
};
struct LineLosses {
  std::int64_t without_time = 0; // events that are sums over many
  std::int64_t damaged = 0;      // lines, events and values
};

// Throws protozero::exception where the plane is damaged; what came before is in `plane`.
void index(detail::Message from, Plane& plane);
// Throws likewise.
[[nodiscard]] Stat stat_of(const Plane& plane, std::string_view bytes);
// What is damaged is counted; a line that is damaged ends early.
[[nodiscard]] Line line_of(std::string_view bytes, LineLosses& losses);

} // namespace prof::xplane
