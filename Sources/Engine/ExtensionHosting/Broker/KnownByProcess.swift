import Synchronization

/// What a service works out once for each process that calls it, such as what its manifest lets it have.
package final class KnownByProcess<Value: Sendable>: Sendable {
  /// More than processes run: what a last call brought after its process had ended is forgotten with all others.
  private static var most: Int { 4_096 }

  private let known = Mutex<[UInt64: Value]>([:])
  private let make: @Sendable (Caller.Identity) -> Value

  /// - Parameter make: works out the value for a caller.
  package init(_ make: @escaping @Sendable (Caller.Identity) -> Value) { self.make = make }

  /// The value for a caller, worked out at its first call.
  package subscript(caller: Caller) -> Value {
    known.withLock { known in
      if let value = known[caller.instance] { return value }
      if known.count >= Self.most { known = [:] }
      let made = make(caller.identity)
      known[caller.instance] = made
      return made
    }
  }

  /// Removes the value of a process that exited.
  package func forget(_ caller: Caller) { known.withLock { $0[caller.instance] = nil } }
}
