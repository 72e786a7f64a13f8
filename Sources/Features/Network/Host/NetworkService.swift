public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import HTTPClient
import JSONRPC
import PropertyList
import Synchronization

/// `network/…`: sends requests for extensions that have no network of their own.
///
/// The broker has asked for the permission. This service keeps a request to the servers that the manifest names, at every
/// redirect too, and a name to addresses that it may stand for.
public final class NetworkService: HostService {
  public typealias Contract = Network

  /// Requests of one extension that may run at one time.
  public static let mostInFlight = 8

  private let client: HTTPClient
  private let inFlight = Mutex<[String: Int]>([:])

  /// - Parameters:
  ///   - usesProxyOfEnvironment: whether `https_proxy` and its relatives count. The proxy then looks names up, and the
  ///     addresses behind them are not checked.
  ///   - certificateFile: certificates to trust, in PEM, in place of those of the system.
  public init(usesProxyOfEnvironment: Bool = false, certificateFile: String? = nil) {
    var configuration = HTTPClient.Configuration()
    configuration.usesProxyOfEnvironment = usesProxyOfEnvironment
    configuration.certificateFile = certificateFile
    client = HTTPClient(configuration: configuration)
  }

  @HandlerBuilder public var handlers: [Handler] {
    Handler(Network.Fetch.self) { params, caller in try await self.fetch(params, for: caller) }
  }

  private func fetch(_ params: Network.Fetch, for caller: Caller) async throws -> Network.Fetch.Result {
    let asked = caller.identity.permissions.first { $0.name == PermissionKind.network.name }
    let plan = try FetchPlan(params, rules: FetchRules(entries: asked?.scope ?? [])) { name throws(ExtensionError) in
      try caller.take(name, limit: Network.fileLimit)
    }
    let id = caller.identity.id
    try enter(id)
    defer { leave(id) }
    switch plan.delivery {
    case .inline:
      let response = try await send(plan)
      return result(response, Self.body(of: response.body), bytes: response.body.count)
    case .file:
      let file = try caller.newFile(name: "fetched")
      do {
        let response = try await send(plan, into: file)
        try file.finish()
        return result(response, Network.Body(file: file.name), bytes: file.count)
      } catch {
        file.discard()
        throw error
      }
    }
  }

  /// Sends the request and what its redirects ask for.
  private func send(_ plan: FetchPlan, into file: ScratchFile? = nil) async throws(ExtensionError) -> HTTPResponse {
    let end = ContinuousClock.now + (plan.request.timeout ?? .zero)
    var request = plan.request
    if let file { request.takeBody = { file.append($0) } }
    for _ in 0...FetchPlan.maximumRedirects {
      request.timeout = max(end - ContinuousClock.now, .milliseconds(1))
      file?.reset()
      let response: HTTPResponse
      do {
        response = try await client.send(request)
      } catch {
        if let failure = file?.failure { throw failure }
        throw ExtensionError(error)
      }
      guard let next = try FetchPlan.next(after: response, to: request, rules: plan.rules) else { return response }
      request = next
    }
    throw .network("redirect", "The server redirects more than \(FetchPlan.maximumRedirects) times.")
  }

  private func result(_ response: HTTPResponse, _ body: Network.Body, bytes: Int) -> Network.Fetch.Result {
    var headers: [String: String] = [:]
    for field in response.headers.all {
      let name = field.name.lowercased()
      // Cookies are kept by nobody, so that two extensions cannot be told to be one.
      if name == "set-cookie" { continue }
      headers[name] = headers[name].map { "\($0), \(field.value)" } ?? field.value
    }
    return Network.Fetch.Result(
      status: response.status, headers: headers, finalURL: response.url, body: body, bytes: bytes)
  }

  private static func body(of bytes: [UInt8]) -> Network.Body {
    if let text = String(validating: bytes, as: UTF8.self) { return Network.Body(text: text) }
    return Network.Body(base64: Base64.encode(bytes))
  }

  private func enter(_ id: String) throws(ExtensionError) {
    let isFull = inFlight.withLock { counts in
      guard counts[id, default: 0] < Self.mostInFlight else { return true }
      counts[id, default: 0] += 1
      return false
    }
    guard isFull else { return }
    throw ExtensionError(
      .limitExceeded, "\(id) has \(Self.mostInFlight) requests open already.",
      recovery: "Wait for one of them before sending the next.", details: ["limit": .integer(Int64(Self.mostInFlight))])
  }

  private func leave(_ id: String) {
    inFlight.withLock { counts in
      counts[id, default: 1] -= 1
      if counts[id] == 0 { counts[id] = nil }
    }
  }
}
