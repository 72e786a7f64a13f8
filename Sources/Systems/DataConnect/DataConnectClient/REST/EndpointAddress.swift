internal import ConfigurationFiles
internal import HTTPClient
internal import Text

extension DataConnectEndpoint {
  /// The connector's name on the wire.
  var connectorName: String { "\(serviceName)/connectors/\(connector)" }

  /// The service's name on the wire.
  var serviceName: String { "projects/\(project)/locations/\(location)/services/\(service)" }

  /// Where operations of a kind are sent, with the key.
  ///
  /// - Throws: `invalidArgument` when a part cannot be in a URL.
  func url(for kind: OperationRequest.Kind) throws(DataConnectFailure) -> String {
    let method = kind == .query ? "executeQuery" : "executeMutation"
    return try base() + "/v1/" + escapedServiceName + "/connectors/\(Self.escaped(connector)):\(method)" + query
  }

  /// Where the stream of a service is, with the key; an http URL.
  ///
  /// - Throws: as ``url(for:)``.
  func streamURL() throws(DataConnectFailure) -> String {
    // The first word of the path is missing in this one.
    let service = "\(Self.escaped(project))/locations/\(Self.escaped(location))/services/\(Self.escaped(service))"
    return try base() + "/ws/google.firebase.dataconnect.v1.ConnectorStreamService.Connect/" + service + query
  }

  /// The server, for messages.
  var server: String { "\(host.shownInMessage()):\(port)" }

  private var escapedServiceName: String {
    "projects/\(Self.escaped(project))/locations/\(Self.escaped(location))/services/\(Self.escaped(service))"
  }

  private var query: String { apiKey.map { "?key=\(Self.escaped($0.revealed()))" } ?? "" }

  private func base() throws(DataConnectFailure) -> String {
    let isVersion6 = host.utf8.contains(UInt8(ascii: ":")) && !host.hasPrefix("[")
    let name = isVersion6 ? "[\(host)]" : host
    let url = "\(isSecure ? "https" : "http")://\(name):\(port)"
    // What curl reads has to be what was meant: no path, no user name in a host.
    guard (1...65_535).contains(port), let origin = HTTPOrigin(url: url), origin.host == name.lowercased(),
      origin.port == port
    else {
      throw DataConnectFailure(
        .invalidArgument, "\"\(server)\" is not a server address.", recovery: "Write HOST:PORT, for example db1:5432.")
    }
    // A name of dots alone would be a step in the path.
    guard ![project, location, service, connector].contains(where: { $0.allSatisfy { $0 == "." } }) else {
      throw DataConnectFailure(
        .invalidArgument, "The project, the location, the service or the connector has no usable name.",
        recovery: "Name the project in the configuration, and generate the connector's code anew.")
    }
    return url
  }

  /// All but what RFC 3986, 2.3 calls unreserved becomes `%XX`.
  static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": result.unicodeScalars.append(scalar)
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }
}
