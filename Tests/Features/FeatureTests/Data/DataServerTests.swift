import ConfigurationFiles
import HostServices
import DataServices
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The server of Data Connect` {
  private static func server(
    _ settings: [String: String], _ environment: [String: String] = [:]
  ) throws -> DataServer? {
    try DataServer.configured(environment: environment) { settings[$0] ?? "" }
  }

  @Test func `is that of the configuration`() throws {
    let server = try #require(
      try Self.server([
        "DATA_CONNECT_PROJECT": "shop", "DATA_CONNECT_LOCATION": "us-east4", "DATA_CONNECT_API_KEY": "k",
        "DATA_CONNECT_ALLOW_EMULATOR": "YES",
      ]))
    #expect(server.project == "shop" && server.host == DataServer.publicHost && server.port == 443 && server.isSecure)
    #expect(server.location == "us-east4" && server.apiKey?.revealed() == "k" && server.allowsEmulator)
    #expect(!server.isEmulator)
    let other = try Self.server(["DATA_CONNECT_PROJECT": "shop", "DATA_CONNECT_HOST": "data.example.com:8443"])
    #expect(other?.host == "data.example.com" && other?.port == 8443 && other?.allowsEmulator == false)
  }

  @Test(arguments: try Cases.present(DataServer.emulatorVariables))
  func `is an emulator where the environment names one`(variable: String) throws {
    let server = try Self.server(["DATA_CONNECT_PROJECT": "shop"], [variable: "http://127.0.0.1:9399"])
    #expect(server?.isEmulator == true && server?.port == 9399 && server?.isSecure == false)
    #expect(server?.project == "shop" && server?.apiKey == nil && server?.allowsEmulator == true)
    let bare = try Self.server([:], [variable: "localhost:1234", "GCLOUD_PROJECT": "usual"])
    #expect(bare?.host == "localhost" && bare?.port == 1234 && bare?.project == "usual")
  }

  @Test func `is not there when nothing is said`() throws {
    #expect(try Self.server([:], ["GCLOUD_PROJECT": "usual"]) == nil)
  }

  @Test func `is refused when it cannot be meant`() {
    let wrong: [[String: String]] = [
      ["DATA_CONNECT_HOST": "data.example.com"], ["DATA_CONNECT_PROJECT": "a/b"],
      ["DATA_CONNECT_PROJECT": "a", "DATA_CONNECT_HOST": "data.example.com", "DATA_CONNECT_SCHEME": "http"],
      ["DATA_CONNECT_PROJECT": "a", "DATA_CONNECT_HOST": "ftp://data.example.com"],
      ["DATA_CONNECT_PROJECT": "a", "DATA_CONNECT_HOST": "user@data.example.com"],
    ]
    for settings in wrong {
      #expect(throws: ConfigurationError.self, "\(settings)") { try Self.server(settings) }
    }
    #expect(throws: ConfigurationError.self) {
      try Self.server([:], [DataServer.emulatorVariables[0]: "http://10.0.0.1:9399"])
    }
  }
}
