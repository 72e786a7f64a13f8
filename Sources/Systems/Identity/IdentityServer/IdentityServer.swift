package import HTTPServer

/// A local identity server: the native authentication API (v1) of Microsoft Entra External ID, OpenID Connect and OAuth
/// 2.0, and two APIs that ask for its tokens. For development and tests; it keeps nothing but what files it is given.
package struct IdentityServer: StandInServer {
  /// The one-time codes that the server has sent.
  package let outbox: CodeOutbox
  /// The faults that the server injects; tests may add some while the server runs.
  package let faults: IdentityFaults
  private let configuration: Configuration
  private let service: IdentityService

  /// - Throws: `IdentityServerError` when a file of the configuration cannot be used.
  package init(configuration: Configuration = Configuration()) throws(IdentityServerError) {
    self.configuration = configuration
    outbox = try CodeOutbox(file: configuration.outboxFile)
    faults = IdentityFaults(quirks: configuration.quirks)
    for fault in configuration.faults { try faults.add(fault) }
    service = try IdentityService(configuration, outbox: outbox, faults: faults)
  }

  /// Serves while `body` runs.
  ///
  /// - Throws: `HTTPServerError` when the server cannot start, or what `body` throws.
  package func withRunning<Value>(_ body: (ServerAddress) async throws -> Value) async throws -> Value {
    var server = HTTPServer.Configuration(port: configuration.port)
    server.host = configuration.host
    server.additionalHostNames = configuration.additionalHostNames
    server.certificate = configuration.certificate
    server.maximumBodyBytes = Form.limit
    server.grace = .seconds(2)
    let service = service
    return try await HTTPServer(configuration: server) { await service.answer(to: $0) }.withRunning { address in
      service.begin(at: address)
      return try await body(address)
    }
  }

  /// Makes an account what it says: one that is there, by its id, or a new one.
  package func put(_ user: IdentityUser) async { await service.put(user) }

  /// An account by name, without regard to case.
  package func user(_ username: String) async -> IdentityUser? { await service.users[username] }

  func answer(to request: ServerRequest) async -> ServerResponse { await service.answer(to: request) }
}
