import HTTP
import Synchronization
import Text

/// What a path says, which is read once: a client asks for the same few over and over.
struct RoutedPath: Sendable, Hashable {
  let route: ServerRoute
  /// The location that the path names; `nil` when it names none.
  let location: String?

  /// How many paths are kept, and of how many bytes: clients choose them.
  private static let (most, longest) = (32, 512)
  private static let known = Mutex<[ExactText: RoutedPath]>([:])

  /// - Parameter path: as sent.
  init(_ path: String) {
    if let known = Self.known.withLock({ $0[ExactText(path)] }) {
      self = known
      return
    }
    (route, location) = (ServerRoute(path), ServerRoute.location(path))
    guard path.utf8.count <= Self.longest else { return }
    Self.known.withLock { [self] in if $0.count < Self.most { $0[ExactText(path)] = self } }
  }
}

/// The meaning of a request's path.
enum ServerRoute: Sendable, Hashable {
  /// The actions on a connector.
  enum ConnectorAction: String, Sendable, Hashable, CaseIterable {
    case executeQuery, executeMutation, impersonateQuery, impersonateMutation

    var isMutation: Bool { self == .executeMutation || self == .impersonateMutation }
    var isImpersonated: Bool { self == .impersonateQuery || self == .impersonateMutation }
  }

  /// The actions on a service.
  enum ServiceAction: String, Sendable, Hashable, CaseIterable {
    case executeGraphql, executeGraphqlRead
  }

  case connector(service: String, connector: String, ConnectorAction)
  case service(service: String, ServiceAction)
  case information
  case configuration
  /// What the database lacks to be as the files say.
  case difference
  /// A change of the database that loses what the request names.
  case migration
  case issues
  case errors
  case stream(service: String)
  /// A call of gRPC, which is not served over HTTP/1.
  case remoteProcedure
  case unknown

  private static let streamPrefix = "ws/google.firebase.dataconnect."

  /// - Parameter path: as sent.
  init(_ path: String) {
    // By bytes: to look for characters in a text is slow.
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { PercentEncoding.decoded(Substring($0)) ?? "\u{0}" }
    switch parts.first {
    case "emulator" where parts.count == 2: self = Self.control(parts[1])
    // `/ws/SERVICE.Connect/PROJECT/locations/LOCATION/services/SERVICE`; some write `projects/` before the project.
    case "ws" where parts.count >= 6 && "ws/\(parts[1])".hasPrefix(Self.streamPrefix):
      self = parts[parts.count - 2] == "services" ? .stream(service: parts[parts.count - 1]) : .unknown
    case let version? where version.hasPrefix("v1"): self = Self.named(Array(parts.dropFirst()))
    case let name? where name.hasPrefix("google.firebase.dataconnect."): self = .remoteProcedure
    default: self = .unknown
    }
  }

  /// Returns the location that a path names: `/v1/projects/P/locations/L/…`, or that of a stream; `nil` when it names none.
  static func location(_ path: String) -> String? {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 7)
    func isWord(_ index: Int, _ word: String) -> Bool {
      parts.indices.contains(index) && parts[index].elementsEqual(word.utf8)
    }
    // By its place: a project may be called like the word. A stream may write `projects/` before the project.
    let index = isWord(0, "ws") && isWord(2, "projects") && isWord(4, "locations") ? 4 : 3
    guard isWord(index, "locations"), index + 1 < parts.count else { return nil }
    return PercentEncoding.decoded(Substring(parts[index + 1]))
  }

  private static func control(_ name: String) -> ServerRoute {
    switch name {
    case "info": .information
    case "configure": .configuration
    case "diff": .difference
    case "migrate": .migration
    case "stream_issues": .issues
    case "stream_errors": .errors
    default: .unknown
    }
  }

  /// `projects/P/locations/L/services/S:ACTION`, or with `/connectors/C` before the action.
  private static func named(_ parts: [String]) -> ServerRoute {
    guard parts.count == 6 || parts.count == 8, parts[0] == "projects", parts[2] == "locations",
      parts[4] == "services", let colon = parts[parts.count - 1].utf8.lastIndex(of: UInt8(ascii: ":"))
    else { return .unknown }
    let name = String(parts[parts.count - 1][..<colon])
    let action = String(parts[parts.count - 1].utf8[colon...].dropFirst()) ?? ""
    if parts.count == 6 {
      return ServiceAction(rawValue: action).map { .service(service: name, $0) } ?? .unknown
    }
    guard parts[6] == "connectors" else { return .unknown }
    return ConnectorAction(rawValue: action).map { .connector(service: parts[5], connector: name, $0) } ?? .unknown
  }

  var method: String {
    switch self {
    case .information, .difference, .issues, .errors, .stream: "GET"
    default: "POST"
    }
  }

  /// Whether only the owner of the machine may send the request.
  var isAdministrative: Bool {
    switch self {
    case .connector(_, _, let action): action.isImpersonated
    case .service, .configuration, .information, .difference, .migration, .issues, .errors: true
    case .stream, .remoteProcedure, .unknown: false
    }
  }
}
