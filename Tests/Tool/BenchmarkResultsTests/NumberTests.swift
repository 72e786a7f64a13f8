import BenchmarkResults
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A number` {
  @Test(
    arguments: [
      (0, 2, "0.00"), (1.005, 1, "1.0"), (0.999, 2, "1.00"), (12.3456, 3, "12.346"), (-0.5, 1, "-0.5"),
      (-0.001, 1, "0.0"),
      (7.5, 0, "8"), (.nan, 2, "-"), (.infinity, 2, "-"),
    ] as [(Double, Int, String)])
  func `has a fixed number of digits`(value: Double, digits: Int, text: String) {
    #expect(Number.text(value, digits: digits) == text)
  }

  @Test(
    arguments: [
      (0.0456, "0.046"), (0.456, "0.46"), (4.56, "4.56"), (45.6, "45.6"), (456.7, "457"), (12_345, "12 k"),
      (1_234_567, "1.23 M"), (12_345_678, "12.3 M"),
    ] as [(Double, String)])
  func `is short enough for a table`(value: Double, text: String) {
    #expect(Number.text(value) == text)
  }
}
