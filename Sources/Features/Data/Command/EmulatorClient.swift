import CommandLineTool
package import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HTTPClient
import HostServices
import DataConnectCompiler
import DataServices
package import JSON
import Text

/// Sends an administrator's requests to the emulator on this machine.
package struct EmulatorClient: Sendable {
  static let options: [CommandOption] = [
    .value(
      "emulator", "HOST:PORT", "The emulator, else 127.0.0.1:9399", environment: DataServer.emulatorVariables[0])
  ]

  private let client = HTTPClient()
  private let origin: String
  private let base: String
  private let access: Access
  private let service: String

  /// Finds the emulator, and the service that it has.
  ///
  /// - Parameter address: host and port; `nil` takes those of the command line.
  /// - Throws: `serviceUnavailable` when it does not run.
  init(_ invocation: Invocation, at address: String? = nil) async throws {
    var environment = invocation.environment
    if let name = address ?? invocation.parsed.value("emulator") { environment[DataServer.emulatorVariables[0]] = name }
    let server = try DataServer.configured(environment: environment, setting: { _ in "" })
    let place = server.flatMap { $0.isEmulator ? $0 : nil } ?? .emulator
    // The secret goes to the very address at which the emulator listens that wrote it down.
    let entry = LocalServers(try invocation.state()).server(at: place.host, port: place.port)
    let name = entry?.host ?? place.host
    let host = name.contains(":") && !name.hasPrefix("[") ? "[\(name)]" : name
    let origin = "\(place.isSecure ? "https" : "http")://\(host):\(place.port)"
    access = Access(secret: entry?.secret ?? "")
    let answer = try await access.answer(HTTPRequest("GET", "\(origin)/emulator/info"), client)
    let known = answer["services"]?.arrayValue ?? []
    let services = known.compactMap { $0["serviceId"]?.stringValue }
      .filter { !$0.isEmpty && $0.utf8.allSatisfy(Self.isPlain) }
    let wanted = invocation.parsed.value("service")
    guard let service = services.first(where: { wanted == nil || $0 == wanted }) else {
      throw ExtensionError(
        .serviceUnavailable,
        wanted.map { "The emulator at \(origin) has no service “\($0)”." }
          ?? "The emulator at \(origin) serves nothing yet.",
        recovery:
          "The terminal of \"host data emulate\" names the mistakes in the service; \"host data compile\" lists them too."
      )
    }
    self.service = service
    self.origin = origin
    let location = known.first { $0["serviceId"]?.stringValue == service }?["location"]?.stringValue
      .flatMap { $0.utf8.allSatisfy(Self.isPlain) ? $0 : nil }
    base =
      "\(origin)/v1/projects/\(place.project)/locations/\(location ?? place.location ?? "local")/services/\(service)"
  }

  /// The emulator of this user that runs; `nil` when none does.
  package static func running(_ invocation: Invocation) async throws -> EmulatorClient? {
    guard let entry = LocalServers(try invocation.state()).servers(named: "data").first else { return nil }
    let host = entry.host.contains(":") ? "[\(entry.host)]" : entry.host
    return try await EmulatorClient(invocation, at: "\(host):\(entry.port)")
  }

  /// The emulator that runs for a service; `nil` when none does.
  static func running(_ invocation: Invocation, for project: DataConnectProject) async throws -> EmulatorClient? {
    do {
      let client = try await EmulatorClient(invocation)
      return client.service == project.configuration.serviceID ? client : nil
    } catch let error as ExtensionError where error.code == .serviceUnavailable {
      return nil
    }
  }

  /// Returns the plan of the emulator for its database.
  func difference() async throws -> JSONValue {
    try await access.answer(HTTPRequest("GET", "\(origin)/emulator/diff"), client)
  }

  /// Has the emulator change its database, and lose what is named.
  func migrate(allowing names: [String]) async throws -> JSONValue {
    var request = HTTPRequest("POST", "\(origin)/emulator/migrate")
    request.headers["Content-Type"] = "application/json"
    let body: JSONValue = ["allow": .array(names.map { .string($0) })]
    request.body = Array(body.description.utf8)
    return try await access.answer(request, client)
  }

  /// Whether a byte may appear in a path unescaped.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Executes a text of GraphQL.
  ///
  /// - Parameters:
  ///   - caller: whom it is executed for, `{"authClaims": …}` or `{"unauthenticated": true}`; `nil` for an administrator.
  ///   - isReadOnly: whether it may write nothing.
  ///   - tellsStatements: whether the answer has the SQL of each field: `extensions.annex.statements`.
  /// - Returns: `data`, `errors` and `extensions`.
  package func execute(
    _ text: String, operation: String? = nil, variables: JSONValue? = nil, as caller: JSONValue? = nil,
    isReadOnly: Bool = false, tellsStatements: Bool = false
  ) async throws -> JSONValue {
    var body: JSONObject = ["query": .string(text)]
    if let operation { body["operationName"] = .string(operation) }
    if let variables { body["variables"] = variables }
    var extensions = JSONObject()
    if let caller { extensions["impersonate"] = caller }
    if tellsStatements { extensions["annex"] = ["statements": true] }
    if !extensions.isEmpty { body["extensions"] = .object(extensions) }
    var request = HTTPRequest("POST", "\(base):executeGraphql\(isReadOnly ? "Read" : "")")
    request.headers["Content-Type"] = "application/json"
    request.body = Array(JSONValue.object(body).description.utf8)
    return try await access.answer(request, client)
  }
}

/// How an administrator's requests get in.
private struct Access: Sendable {
  private static let limit = 64 << 20
  /// The secret of the emulator; empty where it is not known.
  let secret: String

  func answer(_ request: HTTPRequest, _ client: HTTPClient) async throws -> JSONValue {
    var request = request
    if !secret.isEmpty { request.headers["Authorization"] = "Bearer \(secret)" }
    request.maximumBodyBytes = Self.limit
    request.maximumRedirects = 0
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try await client.send(request)
    } catch {
      if error.kind == .cancelled { throw CancellationError() }
      throw ExtensionError(
        .serviceUnavailable, "The emulator does not answer: \(error.message)",
        recovery: "Start it with “host data emulate”, and name its address with --emulator.")
    }
    guard let body = try? JSONCoding.parse(response.body, maximumDepth: 128) else {
      throw ExtensionError(
        .serviceUnavailable, "What answers at \(response.url.shownInMessage()) is not an emulator.",
        recovery: "Name its address with --emulator.")
    }
    guard response.status == 200 else {
      let message = (body["message"] ?? body["error"]?["message"])?.stringValue ?? "status \(response.status)"
      let isDenied = response.status == 401 || response.status == 403
      throw Failure(
        ExtensionError(
          isDenied ? .permissionDenied : .invalidParams, "The emulator refused: \(message.shownInMessage(limit: 400))",
          recovery: Self.recovery(response.status, isKnown: !secret.isEmpty)),
        status: isDenied ? .noPermission : .dataError)
    }
    return body
  }

  private static func recovery(_ status: Int, isKnown: Bool) -> String {
    if status == 401, !isKnown {
      return "Give --home, or set ANNEX_HOME, to the state folder of the emulator, and run the command as its user."
    }
    return switch status {
    case 401: "@auth of the operation asks for another account: name one that is signed in with --as."
    case 403: "@auth of the operation says who may execute it."
    default: "Check the operation and its variables."
    }
  }
}

extension JSONValue {
  /// The errors in an emulator's answer, one line each: the message, and the place in the result.
  package var emulatorErrors: [String] {
    (self["errors"]?.arrayValue ?? []).map { error -> String in
      var message = error["message"]?.stringValue ?? "\(error)"
      if let details = error["extensions"]?["debugDetails"]?.stringValue { message += " \(details)" }
      var place = (error["path"]?.arrayValue ?? []).map { $0.stringValue ?? "\($0)" }.joined(separator: ".")
      if let location = error["locations"]?[0] {
        place += "\(place.isEmpty ? "" : ":")\(location["line"] ?? .null):\(location["column"] ?? .null)"
      }
      return place.isEmpty ? message : "\(place): \(message)"
    }
  }
}
