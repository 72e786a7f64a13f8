import ConfigurationFiles
package import Contracts
import Cryptography
import DataConnectClient
import ExtensionHosting
import ExtensionProtocol
import HTTPClient
package import IdentityServices
import JSON
import JSONRPC
import Text
import TokenBroker

/// Sends operations to the configured server, with the token of the app's signed-in user.
package struct ClientCarrier: DataCarrier {
  private let server: DataServer
  private let identities: IdentityBook?
  private let client: DataConnectClient
  private let users = UserWatch()

  /// - Parameters:
  ///   - cacheFolder: the folder of the result cache; `nil` caches in memory.
  ///   - identities: the identity servers of the apps; `nil` when no app has users.
  ///   - certificateFile: trusted certificates in PEM, instead of those of the system.
  ///   - report: receives a sentence for each problem with a file of the cache.
  package init(
    _ server: DataServer, cacheFolder: String?, identities: IdentityBook?, certificateFile: String? = nil,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    (self.server, self.identities) = (server, identities)
    var http = HTTPClient.Configuration()
    http.certificateFile = certificateFile
    var configuration = DataConnectClient.Configuration(
      http: HTTPClient(configuration: http), cacheFolder: cacheFolder)
    // What an extension waits for at most, and a little less.
    configuration.limits.timeout = .seconds(20)
    configuration.report = report
    client = DataConnectClient(configuration)
  }

  /// The location of services when a call names none.
  package var location: String? { server.location }
  /// Whether calls may name an emulator.
  package var allowsEmulator: Bool { server.allowsEmulator }

  /// Executes an operation once with the token of the signed-in user.
  package func execute(_ call: DataCall) async throws -> DataContract.Outcome {
    let endpoint = try endpoint(call)
    let user = try await user(call)
    do throws(DataConnectFailure) {
      return DataContract.Outcome(
        try await client.execute(
          operation(call), at: endpoint, user: user, policy: call.policy, cache: call.cache.map(CacheSettings.init),
          token: token(call)))
    } catch {
      throw ExtensionError(error)
    }
  }

  /// Follows a query while the same user is signed in.
  package func follow(
    _ call: DataCall, _ take: @escaping @Sendable (DataContract.Outcome) -> Void
  ) async throws {
    let user = try await user(call)
    let results = client.subscribe(
      operation(call), at: try endpoint(call), user: user, cache: call.cache.map(CacheSettings.init), token: token(call)
    )
    try await whileCurrent(user, call) {
      do {
        for try await result in results {
          // The change may have happened before the watch began.
          try await check(user, call)
          take(DataContract.Outcome(result))
        }
      } catch let failure as DataConnectFailure {
        throw ExtensionError(failure)
      }
    }
  }

  /// Runs the client's subscriptions and the watch of signed-in users until the task is cancelled.
  package func run() async throws {
    await withDiscardingTaskGroup { group in
      group.addTask { await client.run() }
      group.addTask { await users.run() }
    }
  }

  // MARK: Where to

  private func operation(_ call: DataCall) -> DataOperation {
    DataOperation(call.operation, kind: call.kind == .query ? .query : .mutation, variables: call.variables)
  }

  private func endpoint(_ call: DataCall) throws(ExtensionError) -> DataConnectEndpoint {
    guard let location = call.location else {
      throw ExtensionError(
        .invalidParams, "Nothing says where the service “\(call.service)” runs.",
        recovery: "Give its location, or have the host configured with DATA_CONNECT_LOCATION.")
    }
    if let emulator = call.emulator {
      return DataConnectEndpoint(
        host: emulator.host, port: emulator.port, isSecure: false, project: server.project, location: location,
        service: call.service, connector: call.connector, isLoopbackOnly: true)
    }
    return DataConnectEndpoint(
      host: server.host, port: server.port, isSecure: server.isSecure, project: server.project, location: location,
      service: call.service, connector: call.connector, apiKey: server.isEmulator ? nil : server.apiKey,
      isLoopbackOnly: !server.isSecure)
  }

  // MARK: The user

  /// Returns the token broker of the app; `nil` when no identity server is configured, so that no user is signed in.
  private func broker(_ call: DataCall) async throws(ExtensionError) -> TokenBroker? {
    guard let identities else { return nil }
    do {
      return try await identities.broker(for: call.app)
    } catch {
      guard error.code == .serviceUnavailable, call.account == nil else { throw error }
      return nil
    }
  }

  private func user(_ call: DataCall) async throws -> String? {
    guard let broker = try await broker(call) else { return nil }
    return try await translatingAuthErrors { () async throws(AuthError) in
      try await broker.subject(account: call.account)
    }
  }

  /// Runs work on behalf of a user until another user signs in or the user signs out.
  private func whileCurrent(
    _ user: String?, _ call: DataCall, _ body: @escaping @Sendable () async throws -> Void
  ) async throws {
    guard let identities, try await broker(call) != nil else { return try await body() }
    let folder = try identities.folder(for: call.app)
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await body() }
      group.addTask { try await users.look(in: folder) { try await check(user, call) } }
      try await group.next()
    }
  }

  private func check(_ user: String?, _ call: DataCall) async throws {
    let now = try await self.user(call)
    guard now.map({ ExactText($0) }) == user.map({ ExactText($0) }) else {
      throw ExtensionError(DataConnectFailure.userChanged)
    }
  }

  private func token(_ call: DataCall) -> TokenSource {
    let isEmulator = call.emulator != nil || server.isEmulator
    return { forceRefresh in
      guard let broker = try await broker(call),
        let token = try await broker.idToken(account: call.account, forceRefresh: forceRefresh)
      else { return nil }
      return IDToken(text: isEmulator ? Self.unsigned(token.secret) : token.secret, user: token.subject)
    }
  }

  /// Returns the token without its signature. An emulator accepts any claims, and a program that listens at its port
  /// cannot use an unsigned token elsewhere.
  private static func unsigned(_ token: Secret) -> Secret {
    let parts = token.revealed().split(separator: ".", omittingEmptySubsequences: false)
    let header = Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8))
    return Secret("\(header).\(parts.count > 1 ? parts[1] : "").")
  }
}

extension DataCall {
  fileprivate var policy: QueryFetchPolicy {
    switch fetchPolicy {
    case .preferCache: .preferCache
    case .cacheOnly: .cacheOnly
    case .serverOnly: .serverOnly
    }
  }
}

extension CacheSettings {
  fileprivate init(_ cache: DataContract.Cache) {
    self.init(
      storage: cache.storage == .memory ? .memory : .persistent,
      maxAge: .milliseconds(min(cache.maxAgeMs ?? 0, 31_536_000_000)), maxSize: cache.maxBytes)
  }
}

extension DataContract.Outcome {
  fileprivate init(_ response: DataResponse) {
    let errors = response.errors.prefix(100).map { error in
      DataContract.FieldError(
        message: String((error["message"]?.stringValue ?? "The server names no reason.").prefix(2_000)),
        path: error["path"]?.arrayValue, extensions: error["extensions"]?.objectValue)
    }
    self.init(
      data: response.data, errors: errors.isEmpty ? nil : errors,
      source: response.source == .cache ? .cache : .server)
  }
}

extension ExtensionError {
  /// A failure of the client, in the terms of the wire.
  init(_ failure: DataConnectFailure) {
    let code: Code =
      switch failure.code {
      case .unauthenticated: .interactionRequired
      case .invalidArgument: .invalidParams
      case .tooLarge: .limitExceeded
      case .cancelled: .cancelled
      default: .dataFailed
      }
    self.init(
      code, failure.message, recovery: failure.recovery, details: ["kind": .string(failure.code.rawValue)])
  }
}
