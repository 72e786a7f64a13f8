/// How many lines, and how many bytes of them, may come: a burst, and then a rate. Pure.
struct LineMeter {
  /// What may come at once after a pause, and in each second for ever.
  struct Rate: Sendable {
    var lines: (burst: Double, perSecond: Double)
    var bytes: (burst: Double, perSecond: Double)
  }

  private let rate: Rate
  private var lines: Double
  private var bytes: Double
  private var last: UInt64?

  init(_ rate: Rate) {
    self.rate = rate
    lines = rate.lines.burst
    bytes = rate.bytes.burst
  }

  /// Whether a line may come now. The last one may be longer than what is left: it is paid for later.
  ///
  /// - Parameter now: monotonic nanoseconds.
  mutating func isOpen(at now: UInt64) -> Bool {
    let seconds = last.map { Double(now &- min(now, $0)) / 1e9 } ?? 0
    last = now
    lines = min(rate.lines.burst, lines + seconds * rate.lines.perSecond)
    bytes = min(rate.bytes.burst, bytes + seconds * rate.bytes.perSecond)
    return lines >= 1 && bytes > 0
  }

  /// A line has come.
  mutating func take(_ count: Int) {
    lines -= 1
    bytes -= Double(count)
  }
}
