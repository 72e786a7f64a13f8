package import Contracts
package import JSON

/// What brings operations to a server and results back.
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
  /// Its own work, until the task is cancelled; without it nothing is followed.
  func run() async throws
}

extension DataCarrier {
  /// The default has no work of its own: it returns at once.
  package func run() async throws {}
}

/// One call of an operation, which the caller may make.
package struct DataCall: Sendable, Hashable {
  /// The containing app whose user asks.
  package var app: String
  package var service: String
  package var connector: String
  /// Where the service runs; `nil` for what the carrier knows.
  package var location: String?
  package var operation: String
  package var kind: DataContract.Kind
  package var variables: JSONObject
  package var fetchPolicy: DataContract.FetchPolicy
  package var cache: DataContract.Cache?
  /// A loopback address and a port.
  package var emulator: DataContract.Emulator?
  /// An id or a user name; `nil` for the only account there is, or nobody.
  package var account: String?
}
