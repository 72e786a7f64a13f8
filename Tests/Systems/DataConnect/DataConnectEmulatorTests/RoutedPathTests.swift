import DataConnectMessages
import GRPC
import HTTPServer
import JSON
import Testing

@testable import DataConnectEmulator

/// What each path means, which method it takes and whose it is.
@Suite(.timeLimit(.minutes(1)))
struct `The route of a path` {
  private static let service = "/v1/projects/p/locations/l/services/s"

  @Test(
    arguments: [
      ("/emulator/info", .information, "GET", true), ("/emulator/configure", .configuration, "POST", true),
      ("/emulator/diff", .difference, "GET", true), ("/emulator/migrate", .migration, "POST", true),
      ("/emulator/stream_issues", .issues, "GET", true), ("/emulator/stream_errors", .errors, "GET", true),
      ("/emulator", .unknown, "POST", false), ("/emulator/other", .unknown, "POST", false),
      ("/emulator/info/more", .unknown, "POST", false), ("//emulator//info/", .information, "GET", true),
      ("\(service):executeGraphql", .service(service: "s", .executeGraphql), "POST", true),
      ("\(service):executeGraphqlRead", .service(service: "s", .executeGraphqlRead), "POST", true),
      ("\(service)/connectors/c:executeQuery", .connector(service: "s", connector: "c", .executeQuery), "POST", false),
      (
        "\(service)/connectors/c:executeMutation", .connector(service: "s", connector: "c", .executeMutation), "POST",
        false
      ),
      (
        "\(service)/connectors/c:impersonateQuery", .connector(service: "s", connector: "c", .impersonateQuery), "POST",
        true
      ),
      (
        "\(service)/connectors/c:impersonateMutation", .connector(service: "s", connector: "c", .impersonateMutation),
        "POST", true
      ),
      ("/google.firebase.dataconnect.v1.ConnectorService/ExecuteQuery", .remoteProcedure, "POST", false),
      ("/google.firebase.dataconnect/ExecuteQuery", .unknown, "POST", false),
    ] as [(String, ServerRoute, String, Bool)])
  func `has a method, and is an administrator's or not`(
    path: String, route: ServerRoute, method: String, isAdministrative: Bool
  ) {
    // A path is looked up the second time.
    for _ in 0..<2 {
      let found = RoutedPath(path).route
      #expect(found == route && found.method == method && found.isAdministrative == isAdministrative)
    }
  }

  @Test(
    arguments: [
      ("\(service):a:executeGraphql", .service(service: "s:a", .executeGraphql)), ("\(service):", .unknown),
      ("\(service):executegraphql", .unknown), ("\(service):executeQuery", .unknown),
      ("\(service)/connectors/c:executeGraphql", .unknown), ("\(service)/connectors/c", .unknown),
      ("\(service)/others/c:executeQuery", .unknown), ("\(service)/connectors/c/d:executeQuery", .unknown),
      ("\(service)/connectors:executeQuery", .unknown),
      ("/v1/project/p/locations/l/services/s:executeGraphql", .unknown),
      ("/v1/projects/p/location/l/services/s:executeGraphql", .unknown),
      ("/v1/projects/p/locations/l/service/s:executeGraphql", .unknown),
      ("/v1/projects/p/locations/l/services/%C3%A9%20s:executeGraphql", .service(service: "é s", .executeGraphql)),
      ("/v1/projects/p/locations/l/services/%zz:executeGraphql", .unknown), ("", .unknown), ("/", .unknown),
    ] as [(String, ServerRoute)])
  func `is found by all of its parts`(path: String, route: ServerRoute) {
    #expect(ServerRoute(path) == route)
  }

  @Test(
    arguments: [
      ("/ws/google.firebase.dataconnect.v1.S.Connect/p/locations/l/services/s", .stream(service: "s")),
      ("/ws/google.firebase.dataconnect.v1.S.Connect/projects/p/locations/l/services/s", .stream(service: "s")),
      ("/ws/google.firebase.dataconnect.v1.S.Connect/p/locations/services/s", .stream(service: "s")),
      ("/ws/google.firebase.dataconnect.v1.S.Connect/locations/services/s", .unknown),
      ("/ws/google.firebase.dataconnect.v1.S.Connect/p/locations/l/service/s", .unknown),
      ("/ws/google.firebase.data/p/locations/l/services/s", .unknown),
      ("/wss/google.firebase.dataconnect.v1.S.Connect/p/locations/l/services/s", .unknown),
    ] as [(String, ServerRoute)])
  func `of a stream ends with its service`(path: String, route: ServerRoute) {
    #expect(ServerRoute(path) == route)
    #expect(route.isAdministrative == false && route.method == (route == .unknown ? "POST" : "GET"))
  }

  @Test(
    arguments: [
      (service + ":executeGraphql", "l"), ("\(service)/connectors/c:executeQuery", "l"),
      ("/v1/projects/p/locations/us%2Deast4/services/s:executeGraphql", "us-east4"),
      ("/ws/google.firebase.dataconnect.v1.S.Connect/projects/p/locations/l/services/s", "l"),
      ("/ws/google.firebase.dataconnect.v1.S.Connect/p/locations/l/services/s", "l"), ("/v1/projects/p/locations", nil),
      ("/v1/projects/locations/locations/l/services/s:executeGraphql", "l"),
      ("/v1/projects/p/locations/locations/services/s:executeGraphql", "locations"),
      ("/ws/google.firebase.dataconnect.v1.S.Connect/projects/locations/locations/l/services/s", "l"),
      ("/ws/google.firebase.dataconnect.v1.S.Connect/locations/locations/l/services/s", "l"),
      ("/ws/google.firebase.dataconnect.v1.S.Connect/projects/locations/l/services/s", "l"),
      ("/v1/projects/p/location/l/services/s", nil), ("/emulator/info", nil), ("", nil),
    ] as [(String, String?)])
  func `names a location, or none`(path: String, location: String?) {
    #expect(ServerRoute.location(path) == location)
    for _ in 0..<2 { #expect(RoutedPath(path).location == location) }
  }

  @Test func `is the same where it is too long to be kept`() {
    for count in [511, 512, 513, 600] {
      let path = "/v1/projects/p/locations/l/services/\(String(repeating: "s", count: count - 51)):executeGraphql"
      #expect(path.utf8.count == count)
      for _ in 0..<2 {
        #expect(RoutedPath(path).route == .service(service: String(repeating: "s", count: count - 51), .executeGraphql))
      }
    }
  }

  @Test(arguments: ServerRoute.ConnectorAction.allCases)
  func `of a connector says what is executed, and for whom`(action: ServerRoute.ConnectorAction) {
    #expect(action.isMutation == action.rawValue.hasSuffix("Mutation"))
    #expect(action.isImpersonated == action.rawValue.hasPrefix("impersonate"))
  }
}

/// The body of a request that has something executed.
@Suite(.timeLimit(.minutes(1)))
struct `The body of a call` {
  private func refusal(_ body: String) -> String? {
    do throws(RequestFailure) {
      _ = try OperationCall(ServerRequest(path: "/", body: Array(body.utf8)))
      return nil
    } catch {
      return error.code == .invalidArgument ? error.message : "another code"
    }
  }

  @Test(arguments: [
    ("", "The body is not JSON."), ("{", "The body is not JSON."), ("[]", "The body is an array and no object."),
    ("null", "The body is null and no object."), ("1", "The body is a number and no object."),
    (#"{"operationName": 1}"#, "\"operationName\" is a number and no string."),
    (#"{"query": ["q"]}"#, "\"query\" is an array and no string."),
    (#"{"operationName": {}, "query": 1}"#, "\"operationName\" is an object and no string."),
    (#"{"variables": []}"#, "\"variables\" is an array and no object."),
    (#"{"variables": "a"}"#, "\"variables\" is a string and no object."),
    (#"{"variables": false}"#, "\"variables\" is a boolean and no object."),
  ])
  func `is refused where it is none, in words`(body: String, message: String) {
    #expect(refusal(body) == message)
  }

  @Test func `may lack everything, or have null in its place`() throws {
    for body in ["{}", #"{"operationName": null, "query": null, "variables": null}"#] {
      let call = try OperationCall(ServerRequest(path: "/", body: Array(body.utf8)))
      #expect(call.name == nil && call.query == nil && call.variables == [:] && call.extensions == nil)
    }
    let whole = try OperationCall(
      ["operationName": "é", "query": "", "variables": ["a": .null], "extensions": ["b": 1], "other": 2])
    #expect(whole.name == "é" && whole.query == "" && whole.variables == ["a": .null])
    #expect(whole.extensions == ["b": 1])
  }

  @Test func `of a message of gRPC is the same`() throws {
    let call = try OperationCall(OperationMessage(connector: "c", operation: "Get", variables: ["a": 1]))
    #expect(call.name == "Get" && call.variables == ["a": 1] && call.query == nil && call.extensions == nil)
    #expect(try OperationCall(OperationMessage(operation: "")).name == "")
  }
}

/// A message of a stream over gRPC, as a frame.
@Suite(.timeLimit(.minutes(1)))
struct `The frame of a message` {
  private func action(_ frame: StreamFrame) -> String {
    switch frame.action {
    case .subscribe(let call): "subscribe \(call.name ?? "-") \(call.variables)"
    case .execute(let call): "execute \(call.name ?? "-") \(call.variables)"
    case .resume: "resume"
    case .cancel: "cancel"
    case nil: "none"
    }
  }

  private func frame(_ message: StreamRequestMessage, token: String? = nil) throws -> StreamFrame {
    try StreamFrame(message, connector: "c", token: token)
  }

  @Test func `does what the message says`() throws {
    let call = OperationMessage(operation: "Get", variables: ["a": 1])
    let expected: [(StreamRequestMessage.Action?, String)] = [
      (.subscribe(call), #"subscribe Get {"a":1}"#), (.execute(call), #"execute Get {"a":1}"#), (.resume, "resume"),
      (.cancel, "cancel"), (nil, "none"),
    ]
    for (given, words) in expected {
      var message = StreamRequestMessage(given, request: "1")
      message.etag = "e"
      let found = try frame(message)
      #expect(action(found) == words && found.request == "1" && found.etag == "e")
      #expect(found.connector == "c" && found.token == nil)
      let failure = RequestFailure(.invalidArgument, "\"request_id\" is missing.")
      if given == nil {
        #expect(try frame(StreamRequestMessage(nil)).request == nil)
      } else {
        #expect(throws: failure) { try frame(StreamRequestMessage(given)) }
      }
    }
    #expect(try StreamFrame(StreamRequestMessage(nil), connector: nil, token: nil).connector == nil)
  }

  @Test func `has the token of the message, else that of the call`() throws {
    var message = StreamRequestMessage(nil)
    #expect(try frame(message, token: "call").token == "call")
    message.headers["authorization"] = "other"
    #expect(try frame(message).token == nil)
    message.headers["x-firebase-auth-token"] = "own"
    #expect(try frame(message, token: "call").token == "own")
    message.headers["x-firebase-auth-token"] = ""
    #expect(try frame(message, token: "call").token == "")
  }

  @Test func `has a name of 512 bytes, also where it asks for nothing`() throws {
    let longest = String(repeating: "é", count: 256)
    for given in [.cancel, nil] as [StreamRequestMessage.Action?] {
      #expect(try frame(StreamRequestMessage(given, request: longest)).request == longest)
      #expect(throws: RequestFailure(.invalidArgument, "\"request_id\" is too long.")) {
        try frame(StreamRequestMessage(given, request: longest + "a"))
      }
    }
  }

  @Test func `that fails has the status of gRPC with the same name`() {
    let codes: [(FailureCode, GRPCCode)] = [
      (.cancelled, .cancelled), (.invalidArgument, .invalidArgument), (.deadlineExceeded, .deadlineExceeded),
      (.notFound, .notFound), (.alreadyExists, .alreadyExists), (.permissionDenied, .permissionDenied),
      (.resourceExhausted, .resourceExhausted), (.failedPrecondition, .failedPrecondition), (.aborted, .aborted),
      (.unimplemented, .unimplemented), (.internalFailure, .internal), (.unavailable, .unavailable),
      (.unauthenticated, .unauthenticated),
    ]
    #expect(codes.count == FailureCode.allCases.count)
    for (code, expected) in codes {
      let status = GRPCStatus(RequestFailure(code, "Why."))
      #expect(status.code == expected && status.message == "Why.")
    }
  }
}

/// What is served under the names of a request, without a database.
@Suite(.timeLimit(.minutes(1)))
struct `The operation that a request names` {
  @Test func `has the bytes of its name, and its connector too`() throws {
    let project = try PlainProject("query GetK @auth(level: PUBLIC) { movies { title } }")
    let served = try project.deployment()
    #expect(try served.operation("GetK", of: "movies").name == "GetK")
    // The Kelvin sign, which is the letter K for `String`.
    let failure = #expect(throws: RequestFailure.self) { try served.operation("Get\u{212A}", of: "movies") }
    #expect(failure?.code == .notFound)
    let other = Deployment(
      service: served.service, schema: project.schema,
      connectors: [DeployedConnector(id: "K", project.connector, project.expressions)],
      expressions: project.expressions, pool: served.pool, number: 2)
    #expect(try other.operation("GetK", of: "K").name == "GetK")
    let elsewhere = #expect(throws: RequestFailure.self) { try other.operation("GetK", of: "\u{212A}") }
    #expect(elsewhere?.code == .notFound)
  }
}
