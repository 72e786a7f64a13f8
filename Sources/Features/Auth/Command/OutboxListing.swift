import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HTTPClient
import JSON
import Time

/// `host auth outbox`: the one-time codes that a local identity server sent.
struct OutboxListing {
  private let invocation: Invocation
  private let url: String
  private let secret: String
  private let client: HTTPClient

  /// Seconds that --wait waits, and between two looks at the outbox.
  private static let (patience, pause) = (300, Duration.milliseconds(200))

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    let origin = try AuthPlace.origin(invocation)
    let place = HTTPOrigin(url: origin)
    let entry = try place.flatMap { LocalServers(try invocation.state()).server(at: $0.host, port: $0.port) }
    // Without TLS the secret goes to the very address at which the server listens that wrote it down.
    if let entry, let place, place.scheme == "http" {
      url = "http://\(entry.host.contains(":") ? "[\(entry.host)]" : entry.host):\(entry.port)/outbox"
    } else {
      url = origin + "/outbox"
    }
    secret = entry?.secret ?? ""
    var configuration = HTTPClient.Configuration()
    configuration.certificateFile = invocation.parsed.value("trust")
    client = HTTPClient(configuration: configuration)
  }

  func run() async throws -> ExitStatus {
    let user = invocation.parsed.argument("USER")
    let begin = UnixTime.now.seconds - 2
    let isWaiting = invocation.parsed.flag("wait")
    var known: [JSONValue]?
    for turn in 0..<Self.patience * 5 {
      let messages = try await messages().filter { message in
        user.map { message["to"]?.stringValue?.lowercased() == $0.lowercased() } ?? true
      }
      if !isWaiting { return try report(messages, of: user) }
      let old = known ?? messages
      known = old
      let new = messages.filter { message in
        // A command that began when this one did may have had its code sent before the first look.
        !old.contains(message) || (turn > 15 && (message["sentAt"]?.integerValue ?? 0) >= begin)
      }
      if !new.isEmpty { return try report(new, of: user) }
      try await Task.sleep(for: Self.pause)
    }
    throw ExtensionError(.deadlineExceeded, "No code was sent in \(Self.patience) s.", recovery: "Begin a sign-in.")
  }

  private func messages() async throws -> [JSONValue] {
    let response: HTTPResponse
    do throws(HTTPError) {
      var request = HTTPRequest("GET", url, maximumBodyBytes: 4 << 20, maximumRedirects: 0)
      if !secret.isEmpty { request.headers["Authorization"] = "Bearer \(secret)" }
      response = try await client.send(request)
    } catch {
      if error.kind == .cancelled { throw CancellationError() }
      throw ExtensionError(
        .serviceUnavailable, "The outbox cannot be read: \(error.message)",
        recovery: "“host serve identity” starts a local identity server; another one is named by --authority.")
    }
    if response.status == 401 {
      throw ExtensionError(
        .permissionDenied, "The outbox at \(url) needs the secret of its server.",
        recovery: "Give --home, or set ANNEX_HOME, to the state folder of the server, and run the command as its user.")
    }
    guard response.status == 200, let document = try? JSONCoding.parse(response.body),
      let messages = document["messages"]?.arrayValue
    else {
      throw ExtensionError(
        .serviceUnavailable, "\(url) is not an outbox of a local identity server.",
        recovery: "Name the server of “host serve identity” with --authority.")
    }
    return messages
  }

  /// Prints the newest code of a user, or all messages.
  func report(_ messages: [JSONValue], of user: String?) throws -> ExitStatus {
    if invocation.wantsJSON {
      invocation.printJSON(["messages": .array(messages)])
      return .success
    }
    if user != nil {
      guard let code = messages.last?["code"]?.stringValue else {
        throw ExtensionError(.serviceUnavailable, "No code was sent to this user.", recovery: "Begin a sign-in.")
      }
      invocation.console.print("\(code)")
      return .success
    }
    var table = TextTable([.init("TO"), .init("BY"), .init("CODE"), .init("FOR")])
    for message in messages {
      table.add(["to", "channel", "code", "purpose"].map { .init(message[$0]?.stringValue ?? "-") })
    }
    invocation.console.print(table)
    return .success
  }
}
