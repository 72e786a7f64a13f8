import Synchronization

/// Collects what comes piece by piece.
final class Pieces: Sendable {
  private let collected = Mutex<[UInt8]>([])

  var bytes: [UInt8] { collected.withLock { $0 } }

  func add(_ bytes: [UInt8]) -> Bool {
    collected.withLock { $0 += bytes }
    return true
  }
}
