internal import HTTPClient
internal import JSON
internal import Text

extension DataConnectFailure {
  /// The server's reason for not executing a request.
  struct Refusal: Sendable, Equatable {
    /// The name of a code of gRPC, such as "NOT_FOUND".
    var status: String?
    var message: String?

    init(status: String?, message: String? = nil) {
      self.status = status
      self.message = message
    }

    /// - Parameter body: the error itself, or an object that has it as "error".
    init(_ body: JSONValue?) {
      let error = body?["error"]?.objectValue ?? body?.objectValue ?? [:]
      status = error["status"]?.stringValue ?? error["code"]?.integerValue.flatMap(Self.name)
      message = error["message"]?.stringValue
    }

    /// The codes of gRPC by number, which some servers write in place of the HTTP status.
    private static func name(_ code: Int64) -> String? {
      switch code {
      case 3: "INVALID_ARGUMENT"
      case 4: "DEADLINE_EXCEEDED"
      case 5: "NOT_FOUND"
      case 7: "PERMISSION_DENIED"
      case 8: "RESOURCE_EXHAUSTED"
      case 14: "UNAVAILABLE"
      case 16: "UNAUTHENTICATED"
      default: nil
      }
    }
  }

  /// - Parameters:
  ///   - status: the HTTP status; `nil` for a refusal inside of a stream.
  ///   - operation: the operation that was requested.
  init(_ refusal: Refusal, status: Int?, operation: DataOperation, at endpoint: DataConnectEndpoint) {
    let said =
      refusal.message.map { message in
        let words = quotable(message)
        return " The server says: \(words)\(words.last.map { ".!?".contains($0) } ?? true ? "" : ".")"
      } ?? ""
    let name = "the \(operation.kind.rawValue) \"\(operation.name.shownInMessage())\""
    let code = Self.code(refusal.status, status)
    switch code {
    case .notFound:
      self.init(
        code,
        "The server at \(endpoint.server) does not have \(name) of the connector \(endpoint.shownConnector).\(said)",
        recovery: "Is it deployed? Deploy the connector, or correct project, location, service and connector.")
    case .unauthenticated:
      self.init(code, "A user has to be signed in for \(name).\(said)", recovery: "Sign in, then try again.")
    case .permissionDenied:
      self.init(
        code, "The user may not execute \(name).\(said)", recovery: "Sign in as a user who may, or change its @auth.")
    case .invalidArgument:
      self.init(
        code, "The server does not accept the variables of \(name).\(said)",
        recovery: "Correct them, or generate the connector's code anew when its operations have changed.")
    case .tooLarge:
      self.init(code, "The variables of \(name) are larger than the server allows.\(said)", recovery: "Send less.")
    case .unavailable:
      self.init(code, "The server at \(endpoint.server) cannot answer now.\(said)", recovery: "Try again later.")
    case .timedOut:
      self.init(code, "The server gave up on \(name).\(said)", recovery: "Try again, or ask for less.")
    default:
      let number = status.map { " with the status \($0)" } ?? ""
      self.init(code, "The server at \(endpoint.server) refused \(name)\(number).\(said)", recovery: "See its log.")
    }
  }

  /// The name of gRPC's code counts, as HTTP has one status for several; else the status.
  static func code(_ name: String?, _ status: Int?) -> Code {
    switch (name, status) {
    case ("INVALID_ARGUMENT", _): .invalidArgument
    case ("UNAUTHENTICATED", _): .unauthenticated
    case ("PERMISSION_DENIED", _): .permissionDenied
    case ("NOT_FOUND", _): .notFound
    case ("UNAVAILABLE", _), ("RESOURCE_EXHAUSTED", _): .unavailable
    case ("DEADLINE_EXCEEDED", _): .timedOut
    case ("ABORTED", _), ("ALREADY_EXISTS", _), ("FAILED_PRECONDITION", _), ("INTERNAL", _): .failed
    case (_, 400): .invalidArgument
    case (_, 401): .unauthenticated
    case (_, 403): .permissionDenied
    case (_, 404): .notFound
    case (_, 408), (_, 504): .timedOut
    case (_, 413): .tooLarge
    case (_, 429), (_, 502), (_, 503): .unavailable
    default: .failed
    }
  }

  /// An answer that is not of Data Connect.
  static func misshapen(_ what: String, at endpoint: DataConnectEndpoint) -> DataConnectFailure {
    DataConnectFailure(
      .failed, "What \(endpoint.server) answers is not of Data Connect: \(what).",
      recovery: "Check that host and port are those of a Data Connect server.")
  }
}

extension DataConnectEndpoint {
  /// Service and connector for messages.
  var shownConnector: String { "\(service.shownInMessage())/\(connector.shownInMessage())" }
}

extension DataConnectFailure {
  /// Says which server did not answer, and how to get one.
  init(_ error: HTTPError, at endpoint: DataConnectEndpoint) {
    let server = endpoint.server
    switch error.kind {
    case .cancelled: self = .cancelled
    case .timedOut:
      self.init(.timedOut, "\(server) did not answer in time.", recovery: "Check that the server is up and try again.")
    case .tooLarge:
      self.init(
        .tooLarge, "The answer of \(server) is larger than allowed.",
        recovery: "Select fewer fields, or fewer rows with limit.")
    case .invalidURL, .invalidRequest:
      self.init(.invalidArgument, error.message, recovery: error.recovery)
    case .refused:
      self.init(
        .unavailable, "No server answers at \(server).",
        recovery: "Start the server or the emulator there, or correct host and port.")
    case .couldNotResolve:
      self.init(
        .unavailable, "The host of \(server) is unknown.", recovery: "Check its name and the network connection.")
    default: self.init(.unavailable, "\(server) cannot be asked. \(error.message)", recovery: error.recovery)
    }
  }
}
