package import ConfigurationFiles
import HTTPClient

/// The Data Connect server of a host.
package struct DataServer: Sendable {
  /// The project of the services.
  package var project: String
  /// A name or an address.
  package var host: String
  /// From 1 to 65535.
  package var port: Int
  /// Whether TLS is spoken.
  package var isSecure: Bool
  /// The key of the project's app.
  package var apiKey: Secret?
  /// Where services are found when a call does not say it.
  package var location: String?
  /// Whether the server is an emulator, which takes unsigned tokens and is sent no others.
  package var isEmulator: Bool
  /// Whether extensions may name an emulator of this machine.
  package var allowsEmulator: Bool

  /// The public server.
  package static let publicHost = "firebasedataconnect.googleapis.com"
  /// Where an emulator is found when nothing else is said.
  package static let emulator = DataServer(
    project: "demo", host: "127.0.0.1", port: 9399, isSecure: false, isEmulator: true, allowsEmulator: true)

  /// Creates a server. By default it is Google's public host over TLS.
  package init(
    project: String, host: String = publicHost, port: Int = 443, isSecure: Bool = true, apiKey: Secret? = nil,
    location: String? = nil, isEmulator: Bool = false, allowsEmulator: Bool = false
  ) {
    self.project = project
    self.host = host
    self.port = port
    self.isSecure = isSecure
    self.apiKey = apiKey
    self.location = location
    self.isEmulator = isEmulator
    self.allowsEmulator = allowsEmulator
  }

  /// The variables that name an emulator, the one that counts most first.
  package static let emulatorVariables = [
    "FIREBASE_DATA_CONNECT_EMULATOR_HOST", "DATA_CONNECT_EMULATOR_HOST", "FIREBASE_DATACONNECT_EMULATOR_HOST",
  ]

  /// Reads the server from the environment, otherwise from a configuration file: `DATA_CONNECT_PROJECT`,
  /// `DATA_CONNECT_HOST` (a name, with a port if it differs from the usual one), `DATA_CONNECT_SCHEME`,
  /// `DATA_CONNECT_LOCATION`, `DATA_CONNECT_API_KEY`, `DATA_CONNECT_ALLOW_EMULATOR` (`YES`). A variable of
  /// ``emulatorVariables`` replaces the server by an emulator.
  ///
  /// - Parameter setting: the value of a key of the file; empty when it is not set.
  /// - Returns: the server; `nil` when no setting names one.
  /// - Throws: `ConfigurationError` for a value that is not a server address.
  package static func configured(
    environment: [String: String], setting: (String) -> String
  ) throws(ConfigurationError) -> DataServer? {
    func value(_ key: String) -> String? {
      let text = environment[key].flatMap { $0.isEmpty ? nil : $0 } ?? setting(key)
      return text.isEmpty ? nil : text
    }
    let project = value("DATA_CONNECT_PROJECT")
    let usual = ["GCLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let location = value("DATA_CONNECT_LOCATION")
    if let name = emulatorVariables.first(where: { environment[$0]?.isEmpty == false }), let text = environment[name] {
      let origin = try origin(text, usualScheme: "http", from: name)
      return DataServer(
        project: project ?? usual ?? "demo", host: origin.host, port: origin.port, isSecure: origin.scheme == "https",
        location: location, isEmulator: true, allowsEmulator: true)
    }
    guard let project else {
      guard value("DATA_CONNECT_HOST") != nil || value("DATA_CONNECT_API_KEY") != nil else { return nil }
      throw ConfigurationError(
        "A server of Data Connect is configured, and no project.", recovery: "Set DATA_CONNECT_PROJECT.")
    }
    guard (1...200).contains(project.utf8.count), project.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F })
    else {
      throw ConfigurationError(
        "DATA_CONNECT_PROJECT is not a name of a project.", recovery: "Write it as the console shows it.")
    }
    let origin = try origin(
      value("DATA_CONNECT_HOST") ?? publicHost, usualScheme: value("DATA_CONNECT_SCHEME") ?? "https",
      from: "DATA_CONNECT_HOST")
    return DataServer(
      project: project, host: origin.host, port: origin.port, isSecure: origin.scheme == "https",
      apiKey: value("DATA_CONNECT_API_KEY").map { Secret($0) }, location: location,
      allowsEmulator: ["yes", "true", "1"].contains(value("DATA_CONNECT_ALLOW_EMULATOR")?.lowercased() ?? ""))
  }

  /// - Throws: `ConfigurationError` for what is no server, and for another machine without encryption: tokens of the user's
  ///   go there.
  private static func origin(
    _ text: String, usualScheme: String, from key: String
  ) throws(ConfigurationError) -> HTTPOrigin {
    let url = text.contains("://") ? text : "\(usualScheme)://\(text)"
    guard text.utf8.count <= 2_048, let origin = HTTPOrigin(url: url) else {
      throw ConfigurationError(
        "\(key) names no server.", recovery: "Write a host, with a port where needed: 127.0.0.1:9399.")
    }
    guard origin.scheme == "https" || origin.isLoopback else {
      throw ConfigurationError(
        "\(key) names another machine without encryption.", recovery: "Use https, or a server of this machine.")
    }
    return origin
  }
}
