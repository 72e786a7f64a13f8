import JSON
import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A symbol that an extension reports` {
  private let log = KeptLog()

  private func require(_ symbols: [String]) async throws {
    try await TestHost(services: [APIService(log: log)]).inWidget { context in
      for symbol in symbols { try await context.requireAPI(symbol) }
    }
  }

  @Test(
    arguments: [
      ("socket", "An extension has no network and no sockets.", "content/execute"),
      ("libcurl.so.4", "An extension has no network.", "content/execute"),
      ("HostServices", "an extension cannot host others.", "Import AppExtensions."),
    ])
  func `is refused with the reason and with what to use instead`(
    symbol: String, reason: String, replacement: String
  ) async throws {
    let caught = await #expect(throws: ExtensionError.self) { try await require([symbol]) }
    #expect(caught?.code == .apiUnavailable)
    #expect(caught?.message.hasPrefix("Extensions cannot use \(symbol). ") == true)
    #expect(caught?.message.hasSuffix(reason) == true)
    #expect(caught?.recovery?.contains(replacement) == true)
    #expect(caught?.details["symbol"]?.stringValue == symbol)
  }

  @Test func `is in the host's log once for each process`() async throws {
    try await TestHost(services: [APIService(log: log)]).inWidget { context in
      for symbol in ["fork", "fork", "libcurl.so.4", "libcurl-gnutls.so"] { try? await context.requireAPI(symbol) }
    }
    #expect(log.lines.map { $0.metadata["symbol"]?.stringValue } == ["fork", "libcurl"])
    let line = try #require(log.lines.first)
    #expect(line.level == .warning)
    #expect(line.metadata["error.code"] == "apiUnavailable")
    #expect(line.metadata["instead"] == "Do the work in the extension itself.")
    await #expect(throws: ExtensionError.self) { try await require(["fork"]) }
  }

  @Test func `is allowed when nothing is said against it, and leaves no line`() async throws {
    try await require(["strlen", "libz.so.1", "Foundation"])
    #expect(log.lines.isEmpty)
  }

  @Test(arguments: ["", String(repeating: "x", count: API.Report.symbolLimit + 1)])
  func `has to be a name`(symbol: String) async throws {
    let caught = await #expect(throws: ExtensionError.self) { try await require([symbol]) }
    #expect(caught?.code == .invalidParams)
    #expect(caught?.message.contains("1 to 256") == true)
  }
}
