package import Contracts
package import JSON

/// Sends operations to a server and returns their results.
package protocol DataCarrier: Sendable {
  /// Where services are found when a call does not say it, such as `us-east4`.
  var location: String? { get }
  /// Whether calls may name an emulator.
  var allowsEmulator: Bool { get }

  /// Executes an operation once.
  ///
  /// - Throws: `ExtensionError` when there is no response at all.
  func execute(_ call: DataCall) async throws -> DataContract.Outcome
  /// Hands over the result of a query, and another one for each change, until the task is cancelled.
  ///
  /// - Throws: `ExtensionError` when there will be no more.
  func follow(_ call: DataCall, _ take: @escaping @Sendable (DataContract.Outcome) -> Void) async throws
  /// Runs the carrier's background work until the task is cancelled; subscriptions need it.
  func run() async throws
}

extension DataCarrier {
  /// Returns at once: by default a carrier has no background work.
  package func run() async throws {}
}

/// One permitted call of an operation.
package struct DataCall: Sendable, Hashable {
  /// The containing app whose user asks.
  package var app: String
  /// The service, as `dataconnect.yaml` names it.
  package var service: String
  /// The connector, as `connector.yaml` names it.
  package var connector: String
  /// Where the service runs; `nil` for what the carrier knows.
  package var location: String?
  /// The name of the operation.
  package var operation: String
  /// Whether the operation is a query or a mutation.
  package var kind: DataContract.Kind
  /// The values of the operation's variables.
  package var variables: JSONObject
  /// Whether a query may use the cache.
  package var fetchPolicy: DataContract.FetchPolicy
  /// How the result is cached; `nil` caches nothing.
  package var cache: DataContract.Cache?
  /// A loopback address and a port.
  package var emulator: DataContract.Emulator?
  /// An id or a user name; `nil` for the only account, or for no user.
  package var account: String?
}
