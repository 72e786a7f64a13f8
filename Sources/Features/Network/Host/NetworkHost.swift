public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import Fetching
import HTTPClient

package enum NetworkHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> NetworkService {
    NetworkService(avoiding: LocalServers(environment.state))
  }
}

/// `network/…`: sends requests for extensions that have no network of their own.
///
/// The broker has asked for the permission. This service keeps a request to the servers that the manifest names, at every
/// redirect too, and a name to addresses that it may stand for. What is fetched for a request of the user's ends with it.
public final class NetworkService: HostService {
  /// The one method that is served, `network/fetch`.
  public typealias Contract = Network

  /// Requests of one extension that may run at one time.
  public static let mostInFlight = FetchPlan.mostInFlight

  private let client: HTTPClient
  private let slots = RequestSlots(limit: mostInFlight)
  private let localServers: LocalServers?

  /// - Parameters:
  ///   - usesProxyOfEnvironment: whether `https_proxy` and its relatives count. The proxy then looks names up, and the
  ///     addresses behind them are not checked.
  ///   - certificateFile: certificates to trust, in PEM, in place of those of the system.
  public convenience init(usesProxyOfEnvironment: Bool = false, certificateFile: String? = nil) {
    self.init(usesProxyOfEnvironment: usesProxyOfEnvironment, certificateFile: certificateFile, avoiding: nil)
  }

  /// - Parameter localServers: the servers that the tool runs on this machine.
  package init(
    usesProxyOfEnvironment: Bool = false, certificateFile: String? = nil, avoiding localServers: LocalServers?
  ) {
    self.localServers = localServers
    var configuration = HTTPClient.Configuration()
    configuration.usesProxyOfEnvironment = usesProxyOfEnvironment
    configuration.certificateFile = certificateFile
    client = HTTPClient(configuration: configuration)
  }

  /// Answers `network/fetch`, for servers that the caller's manifest names.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(answering: Network.Fetch.self) { params, caller in
      try await caller.whileOpen(params.requestID) { try await self.fetch(params, for: caller) }.enclosing { fill in
        try await caller.whileOpen(params.requestID, fill)
      }
    }
  }

  private func fetch(_ params: Network.Fetch, for caller: Caller) async throws -> Answer<Network.Fetch.Result> {
    // Before anything is read for it.
    let slot = try slots.enter(caller.identity.id)
    // Of the file that is sent.
    let hold = caller.hold()
    defer { withExtendedLifetime((slot, hold)) {} }
    let asked = caller.identity.permissions.first { $0.name == PermissionKind.network.name }
    let plan = try FetchPlan(params, rules: FetchRules(entries: asked?.scope ?? [], avoiding: localServers)) {
      name throws(ExtensionError) in
      try caller.take(name, limit: Network.fileLimit, on: hold)
    }
    let run = try FetchRun(plan, client: client, for: caller, holds: [slot, hold])
    do {
      return try run.answer(try await run.attempt())
    } catch {
      run.discard()
      throw error
    }
  }
}
