import Base64
public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import HTTPClient
import JSONRPC
import PropertyList

/// `network/…`: sends requests for extensions that have no network of their own.
///
/// The broker has asked for the permission. This service keeps a request to the servers that the manifest names, at every
/// redirect too, and a name to addresses that it may stand for. What is fetched for a request of the user's ends with it.
public final class NetworkService: HostService {
  /// The one method that is served, `network/fetch`.
  public typealias Contract = Network

  /// Requests of one extension that may run at one time.
  public static let mostInFlight = 8

  private let client: HTTPClient
  private let slots = RequestSlots(limit: mostInFlight)

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
    let plan = try FetchPlan(params, rules: FetchRules(entries: asked?.scope ?? [])) { name throws(ExtensionError) in
      try caller.take(name, limit: Network.fileLimit, on: hold)
    }
    switch plan.delivery {
    case .inline:
      let response = try await send(plan) { request throws(HTTPError) in
        let response = try await client.send(request)
        return (response, response)
      }
      return Answer(result(response, Self.body(of: response.body), bytes: response.body.count))
    case .file: return Answer(try await download(plan, for: caller))
    case .stream:
      let body = try await send(plan) { request throws(HTTPError) in
        let body = try await client.stream(request)
        return (body.response, body)
      }
      let stream = try caller.openStream()
      return Answer(result(body.response, Network.Body(stream: stream.id), bytes: nil)).filling(stream) {
        defer { withExtendedLifetime((slot, hold)) {} }
        try await Self.pass(body, on: stream, to: caller)
      }
    }
  }

  private func download(_ plan: FetchPlan, for caller: Caller) async throws(ExtensionError) -> Network.Fetch.Result {
    let file = try caller.newFile(name: "fetched")
    do throws(ExtensionError) {
      let response = try await send(plan) { request throws(HTTPError) in
        var request = request
        request.takeBody = { file.append($0) }
        file.reset()
        let response = try await client.send(request)
        return (response, response)
      }
      try file.finish()
      return result(response, Network.Body(file: file.name), bytes: file.count)
    } catch {
      let failure = file.failure
      file.discard()
      throw failure ?? error
    }
  }

  /// Sends the request and what its redirects ask for.
  ///
  /// - Parameter exchange: sends one of them; gives the response, and what becomes of the last one.
  private func send<Received: Sendable>(
    _ plan: FetchPlan, _ exchange: (HTTPRequest) async throws(HTTPError) -> (HTTPResponse, Received)
  ) async throws(ExtensionError) -> Received {
    let end = ContinuousClock.now + (plan.request.timeout ?? .zero)
    var request = plan.request
    for _ in 0...FetchPlan.maximumRedirects {
      request.timeout = max(end - ContinuousClock.now, .milliseconds(1))
      let response: HTTPResponse
      let answer: Received
      do throws(HTTPError) { (response, answer) = try await exchange(request) } catch { throw ExtensionError(error) }
      guard let next = try FetchPlan.next(after: response, to: request, rules: plan.rules) else { return answer }
      request = next
    }
    throw .network("redirect", "The server redirects more than \(FetchPlan.maximumRedirects) times.")
  }

  /// Passes a body on as fast as the extension reads it.
  private static func pass(_ body: HTTPStream, on stream: OutgoingStream, to caller: Caller) async throws {
    do {
      while let piece = try await body.next() {
        try await stream.send(piece)
        // Whoever reads is at work.
        caller.process.showsLife()
      }
    } catch let error as HTTPError {
      throw ExtensionError(error)
    }
  }

  private func result(_ response: HTTPResponse, _ body: Network.Body, bytes: Int?) -> Network.Fetch.Result {
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
}
