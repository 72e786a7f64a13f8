package import ExtensionProtocol
import JSON
import Synchronization

/// The number of requests that each extension has open, which has a limit.
package final class RequestSlots: Sendable {
  /// One open request; it ends with its last reference.
  package final class Slot: Sendable {
    private let slots: RequestSlots
    private let id: String

    fileprivate init(_ slots: RequestSlots, _ id: String) {
      self.slots = slots
      self.id = id
    }

    deinit { slots.leave(id) }
  }

  private let limit: Int
  private let open = Mutex<[String: Int]>([:])

  /// - Parameter limit: the most requests that one extension has open at one time.
  package init(limit: Int) { self.limit = limit }

  /// Opens a request of an extension.
  ///
  /// - Parameter id: the extension's identifier.
  /// - Throws: `limitExceeded` when the extension has all that it may have.
  package func enter(_ id: String) throws(ExtensionError) -> Slot {
    let isFull = open.withLock { open in
      guard open[id, default: 0] < limit else { return true }
      open[id, default: 0] += 1
      return false
    }
    guard isFull else { return Slot(self, id) }
    throw ExtensionError(
      .limitExceeded, "\(id) has \(limit) requests open already.",
      recovery: "Wait for one of them before sending the next.", details: ["limit": .integer(Int64(limit))])
  }

  private func leave(_ id: String) {
    open.withLock { open in
      open[id, default: 1] -= 1
      if open[id] == 0 { open[id] = nil }
    }
  }
}
