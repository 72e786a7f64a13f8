import BenchmarkResults
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A baseline` {
  static func measured(_ workload: String, _ unit: Unit, ratio: Double) -> Measurement {
    Measurement(workload: workload, unit: unit, rounds: [(Reading(ratio), Reading(1))])
  }

  @Test(
    arguments: [
      (.microseconds, 2, 2.4, false), (.microseconds, 2, 2.6, true), (.microseconds, 2, 1, false),
      (.megabytesPerSecond, 1, 0.85, false), (.megabytesPerSecond, 1, 0.7, true), (.requestsPerSecond, 1, 3, false),
      (.mebibytes, 4, 5.1, true),
    ] as [(Unit, Double, Double, Bool)])
  func `calls more than a quarter worse a regression`(unit: Unit, before: Double, now: Double, isWorse: Bool) {
    let baseline = Baseline([Self.measured("w", unit, ratio: before)], on: "P")
    #expect(baseline.regressions(in: [Self.measured("w", unit, ratio: now)], on: "P").isEmpty != isWorse)
  }

  @Test func `says what became worse, and how much`() throws {
    let baseline = Baseline([Self.measured("rtt", .microseconds, ratio: 2)], on: "P")
    let worse = [Self.measured("rtt", .microseconds, ratio: 3)]
    let regression = try #require(baseline.regressions(in: worse, on: "P").first)
    #expect(regression.description == "regression: rtt is 50 % worse than the baseline (2.00x then, 3.00x now)")
  }

  @Test func `does not judge what it does not know`() {
    let slow = [Self.measured("w", .microseconds, ratio: 100)]
    #expect(Baseline().regressions(in: slow, on: "P").isEmpty)
    let other = Baseline([Self.measured("w", .microseconds, ratio: 1)], on: "another processor")
    #expect(other.regressions(in: slow, on: "P").isEmpty)
  }

  @Test func `is written as it is read`() throws {
    let baseline = Baseline(
      [
        Self.measured("b", .microseconds, ratio: 2.5), Self.measured("a", .mebibytes, ratio: 0.04),
      ], on: #"P "x""#)
    #expect(
      baseline.text == #"""
        [
          {"processor": "P \"x\"", "workload": "a", "ratio": 0.040},
          {"processor": "P \"x\"", "workload": "b", "ratio": 2.500}
        ]

        """#)
    #expect(try Baseline(parsing: baseline.text) == baseline)
  }

  @Test func `keeps what a run did not measure`() {
    let before = Baseline(
      [Self.measured("a", .mebibytes, ratio: 1), Self.measured("b", .mebibytes, ratio: 2)], on: "P")
    let after = before.updated(with: [Self.measured("b", .mebibytes, ratio: 3)], on: "P")
    #expect(after.ratios == ["P": ["a": 1, "b": 3]])
    #expect(before.updated(with: [], on: "Q") == before)
  }

  @Test(
    arguments: [
      ("processor\t: 0\nmodel name\t: A B  C\nprocessor\t: 1\nmodel name\t: D\n", "A B  C"),
      ("processor\t: 0\nCPU part\t: 0xd0c\n", "0xd0c"), ("", "unknown"), ("model name\t:\n", "unknown"),
    ])
  func `knows its processor`(description: String, name: String) {
    #expect(Processor.name(in: description) == name)
  }

  @Test(arguments: [
    "", "{}", "[1]", #"[{"workload":"a","ratio":1}]"#, #"[{"processor":"P","workload":"a"}]"#,
    #"[{"processor":"P","workload":"a","ratio":0}]"#,
  ])
  func `refuses another shape`(text: String) {
    #expect(throws: (any Error).self) { try Baseline(parsing: text) }
  }
}
