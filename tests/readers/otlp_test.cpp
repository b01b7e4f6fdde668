// OpenTelemetry spans: the example of its specification, and small files written here.
#include "proto_text.hpp"
#include "reader_fixture.hpp"

#include "base/file.hpp"

namespace prof::testing {
namespace {

TEST(Otlp, the_example_of_the_specification_is_one_request) {
  const auto path = data_file("otlp_trace.json");
  for (const Store& store : {load(path), through_pb(path)}) {
    EXPECT_EQ(ask(store, "select request_id, ts, dur, name, status from request"),
              "1|1544712660000000000|1000000000|I'm a server span|ok");
    EXPECT_EQ(ask(store, "select name from process"), "my.service");
    EXPECT_EQ(ask(store, "select key, string_value from args where string_value is not null order by key"),
              "my.span.attr|some value;span_id|eee19b7ec3c1b174;span_kind|server;status|ok;"
              "trace_id|5b8efff798038103d269b633813fc60c");
    EXPECT_EQ(ask(store, "select count(*) from note"), "0");
  }
}

std::string span(std::string_view id, std::string_view parent, int start, int end,
                 std::string_view more = "") {
  return fmt::format(
      R"({{"traceId":"0a","spanId":"{}","parentSpanId":"{}","name":"n{}","startTimeUnixNano":"{}",)"
      R"("endTimeUnixNano":"{}"{}}})",
      id, parent, id, start, end, more);
}
std::string file(std::string_view spans, std::string_view service = "s") {
  return fmt::format(
      R"({{"resourceSpans":[{{"resource":{{"attributes":[{{"key":"service.name","value":{{"stringValue":"{}"}}}}]}},)"
      R"("scopeSpans":[{{"spans":[{}]}}]}}]}})",
      service, spans);
}

TEST(Otlp, overlapping_requests_and_stages_get_lanes_of_their_own) {
  const Scratch scratch;
  const auto path = scratch.write(file(span("1", "", 100, 200) + "," + span("2", "", 150, 250) + "," +
                                       span("3", "1", 110, 180) + "," + span("4", "3", 120, 130) + "," +
                                       span("5", "2", 160, 170) + "," + span("6", "99", 300, 310)));
  for (const Store& store : {load(path), through_pb(path)}) {
    EXPECT_EQ(ask(store, "select r.request_id, r.name, t.name from request r join slice s on s.id = "
                         "r.slice_id join track t on t.id = s.track_id order by 1"),
              "1|n1|requests;2|n2|requests 2;3|n6|requests");
    EXPECT_EQ(ask(store, "select g.name, r.name, t.name from stage g join request r on r.id = g.request_row "
                         "join slice s on s.id = g.slice_id join track t on t.id = s.track_id order by 1"),
              "n3|n1|stages;n4|n1|stages;n5|n2|stages 2");
    EXPECT_EQ(ask(store, "select count(*) from note"), "0");
  }
}

TEST(Otlp, attributes_and_status_are_arguments) {
  const Store store = load_text(file(span(
      "1", "", 100, 200,
      R"(,"status":{"code":2,"message":"no memory"},"attributes":[{"key":"gen_ai.usage.output_tokens","value":{"intValue":"42"}},)"
      R"({"key":"gen_ai.latency.time_to_first_token","value":{"doubleValue":0.25}},{"key":"request_id","value":{"stringValue":"cmpl-1"}},)"
      R"({"key":"stream","value":{"boolValue":true}},{"key":"stop","value":{"arrayValue":{"values":[{"stringValue":"a"},{"intValue":7}]}}}],)"
      R"("events":[{"name":"e"}])")));
  EXPECT_EQ(ask(store, "select status from request"), "error");
  EXPECT_EQ(
      ask(store, "select key, int_value, double_value, string_value from args where key not like '%_id' "
                 "or key like '%request_id' order by key"),
      "attributes.request_id|-|-|cmpl-1;gen_ai.latency.time_to_first_token|-|0.25|-;"
      "gen_ai.usage.output_tokens|42|-|-;request_id|1|-|-;status|-|-|error;status_message|-|-|no memory;"
      "stop|-|-|[\"a\",7];stream|1|-|-");
  EXPECT_EQ(ask(store, "select code, count from note"), "note.otlp.not_read|1");
}

// A service of which most spans say nothing had an error rate of 100 %: only the errors counted.
TEST(Otlp, an_unset_status_of_a_span_that_ended_is_success) {
  std::string spans;
  for (int i = 1; i <= 200; ++i)
    spans += (i == 1 ? "" : ",") + span(fmt::format("{:x}", i), "", i * 100, i * 100 + 50,
                                        i % 20 == 0  ? R"(,"status":{"code":2})"
                                        : i % 2 == 0 ? R"(,"status":{})"
                                        : i % 3 == 0 ? R"(,"status":{"code":0})"
                                                     : "");
  spans += "," + span("ff1", "", 30'000, 0) + "," + span("ff2", "1", 110, 120) +
           R"(,{"traceId":"0a","spanId":"ff3","name":"later version","startTimeUnixNano":"40000",)"
           R"("endTimeUnixNano":"40010","status":{"code":7}})";
  const Scratch scratch;
  const auto path = scratch.write(file(spans));
  for (const Store& store : {load(path), through_pb(path)}) {
    EXPECT_EQ(ask(store, "select status, count(*) from request group by 1 order by 1"),
              "|1;error|10;ok|190;unfinished|1");
    EXPECT_EQ(ask(store, "select count(*) from stage g join args a on a.arg_set_id = (select arg_set_id from "
                         "slice s where s.id = g.slice_id) where a.key = 'status'"),
              "0")
        << "only a request's end is a matter of status";
  }
}

TEST(Otlp, circles_duplicates_and_wrong_times_end_in_notes) {
  const Store store = load_text(file(span("1", "2", 100, 200) + "," + span("2", "1", 110, 190) + "," +
                                     span("3", "3", 300, 310) + "," + span("4", "", 500, 400) + "," +
                                     span("4", "", 600, 700) + "," + span("5", "", 0, 400)));
  EXPECT_EQ(ask(store, "select name, dur from request order by ts"), "n1|100;n3|10;n4|0");
  EXPECT_EQ(ask(store, "select code, count from note order by code"),
            "note.otlp.bad_time|1;note.otlp.cycle|2;note.otlp.duplicate|1;note.otlp.negative_duration|1");
}

TEST(Otlp, a_broken_line_costs_only_itself) {
  const Store store =
      load_text(file(span("1", "", 100, 200), "a") + "\n" + R"({"resourceSpans":[{"scopeSpans":[{"spans":[)" +
                span("2", "", 1, 2) + ",{\"x\":nope}]}]}]}\n" + file(span("3", "", 300, 400), "b") + "\n");
  EXPECT_EQ(ask(store, "select name from request order by ts"), "n2;n1;n3");
  EXPECT_EQ(ask(store, "select code, count from note"), "note.otlp.broken|1");
  EXPECT_EQ(ask(store, "select name from process order by name"), "a;b;service");
}

// Found by mutation: the reader stood still before a bracket that closes nothing.
TEST(Otlp, brackets_and_commas_between_lines_are_passed_over) {
  const Store store = load_text(file(span("1", "", 100, 200)) + "},]\n" + file(span("2", "", 300, 400)));
  EXPECT_EQ(ask(store, "select name from request order by ts"), "n1;n2");
  EXPECT_EQ(ask(store, "select count from note where code = 'note.otlp.broken'"), "3");
}

std::string attribute(std::string_view key, const std::string& value) {
  return field(1, key) + field(2, value);
}

// Two spans of one trace, the child first.
std::string proto_file() {
  const std::string trace(16, '\x0a');
  const std::string root(8, '\x01'), child(8, '\x02');
  const std::string spans =
      field(2, field(1, trace) + field(2, child) + field(4, root) + field(5, "decode") + fixed64(7, 1500) +
                   fixed64(8, 1900)) +
      field(2, field(1, trace) + field(2, root) + field(5, "chat") + number(6, 2) + fixed64(7, 1000) +
                   fixed64(8, 2000) + field(9, attribute("gen_ai.usage.input_tokens", number(3, 17))) +
                   field(15, number(3, 1)));
  return field(1, field(1, field(1, attribute("service.name", field(1, "vllm")))) + field(2, spans));
}

TEST(Otlp, protobuf_gives_the_same_rows_as_json) {
  const Scratch scratch;
  const auto path = scratch.write(proto_file());
  for (const Store& store : {load(path), through_pb(path)}) {
    EXPECT_EQ(ask(store, "select name, ts, dur, status from request"), "chat|1000|1000|ok");
    EXPECT_EQ(ask(store, "select name, ts, dur from stage"), "decode|1500|400");
    EXPECT_EQ(ask(store, "select name from process"), "vllm");
    EXPECT_EQ(ask(store, "select int_value from args where key = 'gen_ai.usage.input_tokens'"), "17");
  }
}

TEST(Otlp, a_file_cut_anywhere_gives_rows_or_one_line) {
  for (const std::string& whole : {*read_file(data_file("otlp_trace.json"), 1 << 20), proto_file()})
    expect_rows_or_one_line_where_cut(whole, 16);
  // The span before the cut is kept, and the cut is told.
  const std::string two = file(span("1", "", 100, 200) + "," + span("2", "", 150, 250));
  const Store store = load_text(two.substr(0, two.size() - 20));
  EXPECT_EQ(ask(store, "select name from request"), "n1");
  EXPECT_EQ(ask(store, "select code from note"), "note.json.cut");
}

TEST(Otlp, hostile_nesting_and_lengths_cost_no_memory_or_stack) {
  std::string deep = R"(,"attributes":[{"key":"k","value":)";
  for (int i = 0; i < 50'000; ++i)
    deep += R"({"arrayValue":{"values":[)";
  for (int i = 0; i < 50'000; ++i)
    deep += "]}}";
  const Store store = load_text(file(span("1", "", 100, 200, deep + "}]") + "," + span("2", "", 300, 400)));
  EXPECT_EQ(ask(store, "select name from request order by ts"), "n1;n2");
  std::string nested = field(1, "x");
  for (int i = 0; i < 1000; ++i)
    nested = field(5, field(1, nested));
  const std::string ids = field(1, std::string(16, '\1')) + field(2, std::string(8, '\2'));
  const std::string good = field(1, field(2, field(2, ids + field(5, "n") + fixed64(7, 5) + fixed64(8, 9) +
                                                          field(9, field(1, "k") + field(2, nested)))));
  const Store proto = load_text(good + "\x0a" + varint(std::uint64_t{1} << 60U) + "rest");
  EXPECT_EQ(ask(proto, "select name, dur from request"), "n|4");
  EXPECT_EQ(ask(proto, "select code from note order by code"), "note.proto.cut;note.proto.damaged");
}

} // namespace
} // namespace prof::testing
