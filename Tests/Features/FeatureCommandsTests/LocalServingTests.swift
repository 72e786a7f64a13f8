import CommandLineTool
import CommandRuntime
import ExtensionHosting
import HTTPServer
import Testing

@testable import FeatureCommands

/// What the commands of local servers have in common.
@Suite(.timeLimit(.minutes(1)))
struct `A command that serves` {
  private func origins(_ names: [String]) throws -> Set<String> {
    let stage = try FeatureStage([.allowOrigin])
    return try stage.invocation(names.flatMap { ["--allow-origin", $0] }).allowedOrigins()
  }

  @Test func `lets the pages call it whose origins it names as browsers do`() throws {
    #expect(try origins([]) == [])
    let names = [
      "http://localhost:5173", "https://a.example", "http://[::1]:8080", "https://a.example:80", "http://a.example:443",
      "http://a.example:8080", "http://[fe80::80]",
    ]
    #expect(try origins(names) == Set(names))
    #expect(try origins(["http://a.example", "http://a.example"]) == ["http://a.example"])
  }

  /// Nobody would be let in by these.
  @Test(arguments: [
    "http://localhost:5173/", "http://LOCALHOST:5173", "HTTP://localhost:5173", "localhost:5173", "*", "null",
    "http://localhost:80", "http://[::1]:80", "https://a.example:443", "http://\u{212A}.example", "ftp://a.example",
    "http://user@a.example", "http://a.example:x",
  ])
  func `refuses what no browser says of a page, beside what it may say`(name: String) {
    let error = #expect(throws: CommandLineError.self) { try origins(["http://localhost:5173", name]) }
    #expect(error?.message == "“\(name.escapedForTerminal)” is not the origin of a web page.")
  }

  private struct Server: StandInServer {
    func withRunning<Value>(_ body: (ServerAddress) async throws -> Value) async throws -> Value {
      try await body(ServerAddress(host: "127.0.0.1", port: 9_399))
    }
  }

  @Test func `is in the list of those that run until it ends, each time`() async throws {
    let stage = try FeatureStage([.allowFetch])
    let invocation = try stage.invocation()
    let servers = LocalServers(try invocation.state())
    for admitsFetches in [false, true] {
      let (ready, isReady) = AsyncStream.makeStream(of: [LocalServers.Entry].self)
      let task = Task {
        defer { isReady.finish() }
        try await invocation.serve(Server(), as: "content", secret: "s", admitsFetches: admitsFetches) { url in
          isReady.yield(url == "http://127.0.0.1:9399" ? servers.servers(named: "content") : [])
        }
      }
      var listed: [LocalServers.Entry] = []
      for await entries in ready {
        listed = entries
        task.cancel()
      }
      try await task.value
      let entry = LocalServers.Entry(
        name: "content", host: "127.0.0.1", port: 9_399, secret: "s", admitsFetches: admitsFetches)
      #expect(listed == [entry] && servers.servers(named: "content") == [])
    }
  }
}
