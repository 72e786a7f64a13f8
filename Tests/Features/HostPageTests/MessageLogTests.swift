import HTML
import JSON
import Testing

@testable import HostPage

@Suite(.timeLimit(.minutes(1)))
struct `The messages of the page` {
  private func line(_ time: Double, _ frame: String, from host: Bool = true, _ id: String = "a") -> String {
    #"{"t":\#(time),"extension":"\#(id)","direction":"\#(host ? "toExtension" : "fromExtension")","frame":\#(frame)}"#
  }

  @Test func `find the request of each answer, once and in its own direction`() throws {
    let log = MessageLog(
      [
        line(1, #"{"id":1,"method":"m/a"}"#), line(2, #"{"id":1,"method":"m/b"}"#, from: false),
        line(2, #"{"id":1,"method":"m/c"}"#, "b"), line(3, #"{"id":1,"result":0}"#, from: false), "no message",
        line(5, #"{"id":1,"result":0}"#), line(4, #"{"id":1,"error":{}}"#, from: false, "b"),
        line(6, #"{"id":1,"result":0}"#, from: false), line(7, #"{"method":"m/n"}"#),
      ], first: 10)
    #expect(log.entries.map(\.message.number) == [10, 11, 12, 13, 15, 16, 17, 18])
    #expect(log.entries.map(\.method) == ["m/a", "m/b", "m/c", "m/a", "m/b", "m/c", "?", "m/n"])
    #expect(log.entries.map(\.duration) == [2, 3, 2, 2, 3, 2, nil, nil])
    #expect(log.entries.map(\.message.isError) == [false, false, false, false, false, true, false, false])
  }

  @Test func `take an id again for a new request, and no time for less than nothing`() {
    let log = MessageLog(
      [
        line(9, #"{"id":"x","method":"m/a"}"#), line(8, #"{"id":"x","result":0}"#, from: false),
        line(10, #"{"id":"x","method":"m/b"}"#), line(11, #"{"id":"x","result":0}"#, from: false),
        line(12, "null"),
      ], first: 0)
    #expect(log.entries.map(\.duration) == [0, 0, 1, 1, nil])
    #expect(log.entries.map(\.method) == ["m/a", "m/a", "m/b", "m/b", "no message"])
  }

  @Test func `may be sent again where they are requests of the host`() throws {
    func request(_ frame: String, from host: Bool = true) throws -> String? {
      let message = try #require(RecordedMessage(line(1, frame, from: host), number: 0))
      return message.request.map { "\($0.method) \(JSONCoding.text(of: $0.params))" }
    }
    #expect(try request(#"{"id":1,"method":"m/a","params":{"x":1}}"#) == #"m/a {"x":1}"#)
    #expect(try request(#"{"id":1,"method":"m/a"}"#) == "m/a {}")
    for frame in [
      #"{"method":"m/a"}"#, #"{"id":1,"method":"initialize"}"#, #"{"id":1,"method":"$/ping"}"#, #"{"id":1}"#,
    ] {
      #expect(try request(frame) == nil, "\(frame)")
    }
    #expect(try request(#"{"id":1,"method":"m/a"}"#, from: false) == nil)
    #expect(RecordedMessage("{}", number: 0) == nil && RecordedMessage("", number: 0) == nil)
    #expect(RecordedMessage(#"{"extension":"é"}"#, number: 3)?.size == 18)
  }

  @Test(
    arguments: [
      (0, "0 µs"), (999, "1 µs"), (1_000, "1 µs"), (1_500, "1.5 µs"), (999_999, "1000 µs"), (1_000_000, "1 ms"),
      (9_940_000, "9.9 ms"), (9_960_000, "10 ms"), (12_300_000, "12 ms"), (999_999_999, "1000 ms"),
      (1_000_000_000, "1 s"), (2_340_000_000, "2.3 s"), (61_000_000_000, "61 s"),
    ] as [(Int64, String)])
  func `show times as people read them`(nanoseconds: Int64, text: String) {
    #expect(LatencyPlot.text(nanoseconds) == text)
  }

  @Test func `count one and many`() {
    #expect([0, 1, 2].map { Shown.count($0, "byte").text } == ["0 bytes", "1 byte", "2 bytes"])
    #expect(
      Shown.count(2, "entry", "entries").text == "2 entries" && Shown.count(1, "entry", "entries").text == "1 entry")
    #expect(Shown.time(99_999_999_999, now: 0).text != "at an unknown time")
    for seconds in [1e11, -1e11] { #expect(Shown.time(seconds, now: 0).text == "at an unknown time") }
    #expect(Shown.ago(-4.9) == "just now" && Shown.ago(-5) == "in 5 seconds" && Shown.ago(3_599) == "59 minutes ago")
    #expect(Shown.ago(3_600) == "1 hour ago" && Shown.ago(86_399) == "23 hours ago")
  }
}
