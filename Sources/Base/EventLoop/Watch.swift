import CLinux

/// What is waited for on a descriptor, or what it is ready for.
package struct Interest: OptionSet, Sendable {
  /// The bits that the C library uses.
  package let rawValue: UInt32
  /// Creates an interest from bits.
  package init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Bytes, the end of the stream, a connection to accept, an exited process (pidfd).
  package static let reading = Interest(rawValue: CLINUX_READABLE)
  /// The descriptor takes bytes.
  package static let writing = Interest(rawValue: CLINUX_WRITABLE)

  /// A failure or a hang-up makes both directions ready: the next read or write says what happened.
  init(ready events: UInt32) {
    self.init(rawValue: events & (CLINUX_READABLE | CLINUX_WRITABLE))
    if events & (CLINUX_ERROR | CLINUX_HANGUP) != 0 { self = [.reading, .writing] }
  }
}

/// A descriptor that a loop waits for. Belongs to the loop's thread.
package final class Watch {
  /// The watched descriptor, which its owner closes.
  package let descriptor: Int32
  /// What the loop waits for at present.
  package internal(set) var interest: Interest
  /// A regular file or /dev/null: the kernel refuses to wait, it is always ready.
  package internal(set) var isAlwaysReady = false
  var token: UInt64 = 0
  var isInEpoll = false
  var action: ((Interest) -> Void)?

  init(_ descriptor: Int32, _ interest: Interest, _ action: @escaping (Interest) -> Void) {
    self.descriptor = descriptor
    self.interest = interest
    self.action = action
  }

  func deliver(_ ready: Interest) {
    // A failure makes both directions ready; only what is waited for is delivered.
    let wanted = ready.intersection(interest)
    if !wanted.isEmpty { action?(wanted) }
  }
}

/// The watches of a loop by token: a slot, and a generation that makes events of a removed watch void.
struct WatchTable {
  private var slots: [Watch?] = []
  private var free: [Int] = []
  private var generation: UInt64 = 0
  private(set) var alwaysReady: [Watch] = []
  var hasAlwaysReady: Bool { !alwaysReady.isEmpty }

  mutating func insert(_ watch: Watch) {
    generation = (generation + 1) & 0x7FFF_FFFF
    let slot: Int
    if let last = free.popLast() {
      slot = last
      slots[slot] = watch
    } else {
      slot = slots.count
      slots.append(watch)
    }
    watch.token = generation << 32 | UInt64(slot)
  }

  func find(_ token: UInt64) -> Watch? {
    let slot = Int(token & 0xFFFF_FFFF)
    guard slot < slots.count, let watch = slots[slot], watch.token == token else { return nil }
    return watch
  }

  mutating func remove(_ watch: Watch) {
    alwaysReady.removeAll { $0 === watch }
    guard find(watch.token) === watch else { return }
    let slot = Int(watch.token & 0xFFFF_FFFF)
    slots[slot] = nil
    free.append(slot)
  }

  mutating func setAlwaysReady(_ watch: Watch) {
    alwaysReady.removeAll { $0 === watch }
    if !watch.interest.isEmpty { alwaysReady.append(watch) }
  }
}
