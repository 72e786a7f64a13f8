import JSON
import Text
import Cryptography
import ExtensionHosting
import ExtensionProtocol
import Synchronization
import TokenBroker

/// The sign-ins in progress, each of one process.
final class AuthFlows: Sendable {
  /// The kinds of sign-in.
  enum Way: Sendable {
    case native(AuthFlow)
    /// By OpenID Connect, in a single request.
    case password(username: String, scopes: ScopeList)
  }

  private struct Entry {
    var instance: UInt64
    var way: Way
  }

  private let entries = Mutex<[String: Entry]>([:])

  /// Flows of one process that may be open at one time.
  static let mostOfProcess = 8

  /// - Throws: `limitExceeded` when the process has all that it may have.
  func add(_ way: Way, of caller: Caller) throws(ExtensionError) -> String {
    let id = SecureRandom.bytes(16).map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    let isFull = entries.withLock { entries in
      guard entries.values.count(where: { $0.instance == caller.instance }) < Self.mostOfProcess else { return true }
      entries[id] = Entry(instance: caller.instance, way: way)
      return false
    }
    guard isFull else { return id }
    throw ExtensionError(
      .limitExceeded, "\(caller.identity.id) has \(Self.mostOfProcess) sign-ins open already.",
      recovery: "Finish or cancel one of them.", details: ["limit": .integer(Int64(Self.mostOfProcess))])
  }

  /// - Throws: `requestUnknown` for a flow that has ended or belongs to another process.
  func way(_ id: String, of caller: Caller) throws(ExtensionError) -> Way {
    let entry = entries.withLock { $0[id] }
    guard let entry, entry.instance == caller.instance else { throw .noFlow(id) }
    return entry.way
  }

  /// Ends a flow of the caller's; ignores a flow of another caller.
  func remove(_ id: String, of caller: Caller) {
    entries.withLock { entries in
      if entries[id]?.instance == caller.instance { entries[id] = nil }
    }
  }

  func removeAll(of caller: Caller) {
    entries.withLock { entries in entries = entries.filter { $0.value.instance != caller.instance } }
  }
}
