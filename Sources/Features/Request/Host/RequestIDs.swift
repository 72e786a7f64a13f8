import Synchronization

/// Identifiers of user requests, unique within this process.
enum RequestIDs {
  private static let counter = Atomic<UInt64>(0)

  static func next() -> String { "r\(counter.add(1, ordering: .relaxed).newValue)" }
}
