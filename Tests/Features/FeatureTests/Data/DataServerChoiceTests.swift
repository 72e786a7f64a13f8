import ConfigurationFiles
import DataServices
import HostServices
import TestSupport
import Testing

/// Which of several settings counts, and which values are none.
@Suite(.timeLimit(.minutes(1)))
struct `The settings of Data Connect` {
  private static let first = DataServer.emulatorVariables[0]
  private static let second = DataServer.emulatorVariables[1]

  private static func server(
    _ settings: [String: String], _ environment: [String: String] = [:]
  ) throws -> DataServer? {
    try DataServer.configured(environment: environment) { settings[$0] ?? "" }
  }

  private static func isRefused(_ settings: [String: String]) -> Bool {
    do {
      _ = try server(settings)
      return false
    } catch { return error is ConfigurationError }
  }

  @Test func `are those of the environment first, where they are not empty`() throws {
    let file = ["DATA_CONNECT_PROJECT": "file", "DATA_CONNECT_LOCATION": "us-east4"]
    let environment = ["DATA_CONNECT_PROJECT": "environment", "DATA_CONNECT_LOCATION": ""]
    let server = try #require(try Self.server(file, environment))
    #expect(server.project == "environment" && server.location == "us-east4")
    #expect(try Self.server(file, ["DATA_CONNECT_PROJECT": ""])?.project == "file")
    #expect(try Self.server(["DATA_CONNECT_PROJECT": "file"])?.location == nil)
  }

  @Test func `name an emulator by the first variable that is not empty`() throws {
    let both = [Self.first: "127.0.0.1:1", Self.second: "127.0.0.1:2"]
    #expect(try Self.server([:], both)?.port == 1)
    #expect(try Self.server([:], [Self.first: "", Self.second: "127.0.0.1:2"])?.port == 2)
    // A file names none.
    let file = try Self.server(["DATA_CONNECT_PROJECT": "p", Self.first: "127.0.0.1:1"], [Self.first: ""])
    #expect(file?.isEmulator == false && file?.host == DataServer.publicHost)
  }

  @Test func `give an emulator a project in any case`() throws {
    func project(_ environment: [String: String], _ settings: [String: String] = [:]) throws -> String? {
      try Self.server(settings, environment.merging([Self.first: "127.0.0.1:1"]) { $1 })?.project
    }
    let usual = ["GCLOUD_PROJECT": "first", "GOOGLE_CLOUD_PROJECT": "second"]
    #expect(try project([:]) == "demo")
    #expect(try project(usual) == "first")
    #expect(try project(["GCLOUD_PROJECT": "", "GOOGLE_CLOUD_PROJECT": "second"]) == "second")
    #expect(try project(usual, ["DATA_CONNECT_PROJECT": "own"]) == "own")
  }

  @Test func `let an emulator speak TLS, and keep its location`() throws {
    let server = try #require(
      try Self.server(["DATA_CONNECT_LOCATION": "us-east4"], [Self.first: "https://emulator.example.com:8443"]))
    #expect(server.isSecure && server.host == "emulator.example.com" && server.port == 8443 && server.isEmulator)
    #expect(server.location == "us-east4" && server.apiKey == nil && server.allowsEmulator)
  }

  @Test(arguments: [
    ("YES", true), ("yes", true), ("true", true), ("TRUE", true), ("1", true), ("NO", false), ("", false),
    ("on", false), ("11", false),
  ])
  func `allow an emulator only when they say so`(text: String, isAllowed: Bool) throws {
    let settings = ["DATA_CONNECT_PROJECT": "p", "DATA_CONNECT_ALLOW_EMULATOR": text]
    #expect(try Self.server(settings)?.allowsEmulator == isAllowed)
  }

  @Test func `have a project where they have a server`() throws {
    for settings in [["DATA_CONNECT_API_KEY": "k"], ["DATA_CONNECT_HOST": "data.example.com"]] {
      let error = #expect(throws: ConfigurationError.self) { try Self.server(settings) }
      #expect(error?.message == "A server of Data Connect is configured, and no project.")
      #expect(error?.recovery == "Set DATA_CONNECT_PROJECT.")
    }
    #expect(try Self.server(["DATA_CONNECT_LOCATION": "us-east4"]) == nil)
  }

  @Test(arguments: [
    ("a", true), ("!~", true), (String(repeating: "a", count: 200), true), (String(repeating: "a", count: 201), false),
    ("a b", false), ("a\u{7F}", false), ("é", false), ("a/b", false), ("\t", false),
  ])
  func `have a project of plain characters`(project: String, isTaken: Bool) {
    #expect(Self.isRefused(["DATA_CONNECT_PROJECT": project]) != isTaken)
  }

  @Test(arguments: [
    ("127.0.0.1:9", "http", false, 9), ("localhost", "http", false, 80),
    ("https://data.example.com", "http", true, 443), ("data.example.com", "https", true, 443),
    ("http://127.0.0.1:9", "https", false, 9),
  ])
  func `have the scheme of the host first`(host: String, scheme: String, isSecure: Bool, port: Int) throws {
    let settings = ["DATA_CONNECT_PROJECT": "p", "DATA_CONNECT_HOST": host, "DATA_CONNECT_SCHEME": scheme]
    let server = try #require(try Self.server(settings))
    #expect(server.isSecure == isSecure && server.port == port && !server.isEmulator)
  }

  @Test func `have a host of some bytes`() {
    let host = "127.0.0.1/"
    let longest = host + String(repeating: "a", count: 2_048 - host.utf8.count)
    let plain = ["DATA_CONNECT_PROJECT": "p", "DATA_CONNECT_SCHEME": "http"]
    #expect(!Self.isRefused(plain.merging(["DATA_CONNECT_HOST": longest]) { $1 }))
    #expect(Self.isRefused(plain.merging(["DATA_CONNECT_HOST": longest + "a"]) { $1 }))
  }

  @Test func `are Google's where nothing is given`() {
    let server = DataServer(project: "p")
    #expect(server.host == "firebasedataconnect.googleapis.com" && server.port == 443 && server.isSecure)
    #expect(!server.isEmulator && !server.allowsEmulator && server.apiKey == nil && server.location == nil)
    let emulator = DataServer.emulator
    #expect(emulator.project == "demo" && emulator.host == "127.0.0.1" && emulator.port == 9399 && !emulator.isSecure)
    #expect(emulator.isEmulator && emulator.allowsEmulator)
    let own = DataService.Server(project: "p")
    #expect(own.host == DataServer.publicHost && own.port == 443 && !own.allowsEmulator)
  }
}
