import JSONRPC
import BenchmarkResults
import JSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A measurement` {
  static let rounds = [
    (product: Reading(10, p99: 20), floor: Reading(5)), (product: Reading(30, p99: 60), floor: Reading(10)),
    (product: Reading(12, p99: 22), floor: Reading(8)),
  ]

  @Test func `takes the ratio inside each round`() {
    let measurement = Measurement(workload: "rtt", unit: .microseconds, rounds: Self.rounds)
    #expect(measurement.value == 12)
    #expect(measurement.floor == 8)
    #expect(measurement.p99 == 22)
    #expect(measurement.ratio == 2)
  }

  @Test func `is an object with the unit's name`() {
    let json = Measurement(workload: "rtt", unit: .microseconds, rounds: Self.rounds).json
    #expect(json == ["workload": "rtt", "value": 12.0, "unit": "us", "p99": 22.0, "floor": 8.0, "ratio": 2.0])
  }

  @Test func `leaves out a percentile that nobody took`() {
    let json = Measurement(workload: "pipe", unit: .requestsPerSecond, rounds: [(Reading(4), Reading(8))]).json
    #expect(json["p99"] == nil)
    #expect(json["ratio"] == 0.5)
  }

  @Test func `is a bar that is shorter when it is better`() {
    let slow = Measurement(workload: "rtt", unit: .microseconds, rounds: [(Reading(8), Reading(2))])
    let rate = Measurement(workload: "<pipe>", unit: .requestsPerSecond, rounds: [(Reading(4), Reading(8))])
    let picture = Measurement.picture(of: [slow, rate])
    #expect(picture.hasPrefix("<svg ") && picture.hasSuffix("</svg>\n"))
    #expect(picture.contains(">rtt<") && picture.contains(">4.00x<"))
    #expect(
      picture.contains(">&lt;pipe&gt;<") && picture.contains(">2.00x<"), "half of the floor's rate takes twice the time"
    )
    #expect(
      Measurement.picture(of: [Measurement(workload: "x", unit: .megabytesPerSecond, rounds: [])]).contains(">0.000x<"))
  }

  @Test func `does not divide by a floor of nothing`() {
    #expect(Measurement(workload: "x", unit: .kibibytes, rounds: [(Reading(4), Reading(0))]).ratio == 0)
  }
}
