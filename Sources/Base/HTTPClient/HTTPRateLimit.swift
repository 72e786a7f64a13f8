internal import Synchronization

/// How many bytes a second all exchanges together may move that share the limit, in either direction: a token bucket.
///
/// An exchange may take a piece as soon as anything is left, and what it takes too much is owed by all. So over any time
/// no more moves than the rate allows, a tenth of a second in advance, and the piece that was begun last.
package final class HTTPRateLimit: Sendable {
  private struct Bucket {
    var level: Double
    var time: ContinuousClock.Instant
  }

  /// Bytes a second, at least one.
  package let rate: Int
  private let bucket: Mutex<Bucket>

  /// Creates a limit; a rate below 1 counts as 1.
  package init(bytesPerSecond rate: Int) {
    self.rate = max(1, rate)
    bucket = Mutex(Bucket(level: Double(self.rate) / 10, time: .now))
  }

  /// The size of the pieces that are asked for, so that no exchange keeps the others waiting for long.
  var pieceBytes: Int { min(64 << 10, max(1 << 10, rate / 16)) }

  /// Takes a whole piece, or nothing.
  ///
  /// - Returns: whether it may be moved.
  func take(_ count: Int) -> Bool {
    bucket.withLock { bucket in
      fill(&bucket)
      guard bucket.level > 0 else { return false }
      bucket.level -= Double(count)
      return true
    }
  }

  /// How long to wait before it is worth asking again; `nil` when there is something to take.
  var wait: Duration? {
    bucket.withLock { bucket in
      fill(&bucket)
      if bucket.level > 0 { return nil }
      return .seconds((Double(rate) / 20 - bucket.level) / Double(rate))
    }
  }

  private func fill(_ bucket: inout Bucket) {
    let now = ContinuousClock.now
    let passed = (now - bucket.time) / .seconds(1)
    bucket.time = now
    bucket.level = min(Double(rate) / 10, bucket.level + passed * Double(rate))
  }
}
