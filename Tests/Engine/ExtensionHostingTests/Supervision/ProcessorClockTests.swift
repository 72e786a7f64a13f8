import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1)))
struct `A clock of processor time` {
  /// What is said of a clock with these readings, and then those that repeat the last difference without end.
  private func isFine(_ readings: [UInt64?], then step: UInt64 = 5_000_000) -> Bool {
    var rest = readings[...]
    var last: UInt64 = 0
    return ProcessorClock.isFine(by: {
      guard let next = rest.popFirst() else {
        last += step
        return last
      }
      last = next ?? last
      return next
    })
  }

  @Test func `is fine when its steps are shorter than a tick`() {
    #expect(isFine([0, 999_999]))
    #expect(!isFine([0, 1_000_000], then: 1_000_000))
    #expect(isFine([7, 7, 7, 8]))
  }

  /// Another thread of the process ran between two readings, or the machine was put aside.
  @Test func `is fine in spite of a long step or three`() {
    #expect(isFine([0, 5_000_000, 5_000_300]))
    #expect(isFine([0, 5_000_000, 9_000_000, 12_000_000, 12_000_300]))
    #expect(!isFine([0, 5_000_000, 9_000_000, 12_000_000, 16_000_000, 16_000_300]))
  }

  @Test func `is not fine when it stands, or cannot be told`() {
    #expect(!isFine([nil]))
    #expect(!isFine([0, nil]))
    #expect(!isFine([0, 5_000_000, nil, 5_000_300]))
    #expect(!isFine([0], then: 0))
  }

  @Test func `is that of this kernel`() { #expect(ProcessorClock.isFine) }
}
