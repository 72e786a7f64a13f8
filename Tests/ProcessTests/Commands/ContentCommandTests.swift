import ContentServer
import EventLoop
import Foundation
import HTTPServer
import JSONRPC
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct `Content at the command line` {
  private static let today = "com.example.adventures.today"

  /// A tool whose configuration names a server that runs while the body does.
  private func withServer<Value>(
    fault: @escaping @Sendable (String) async -> ContentFault? = { _ in nil },
    _ body: (HostTool) async throws -> Value
  ) async throws -> Value {
    let server = try ContentServer(configuration: ContentServer.Configuration(port: 0, fault: fault))
    // The server answers on a thread of its own: those of the tests may all be busy for longer than a client waits.
    let loop = EventLoop.onThread(name: "content-server")
    defer { loop.stop() }
    return try await withTaskExecutorPreference(loop) {
      try await server.withRunning { address in
        let host = try HostTool()
        let authority = address.url.dropFirst("http://".count)
        try host.folder.write("home/Config.xcconfig", "AEM_SCHEME = http\nAEM_HOST = \(authority)\n")
        return try await body(host)
      }
    }
  }

  @Test func `comes from the network, then the cache, then is asked for again`() async throws {
    try await withServer { host in
      for (words, source) in [([], "network"), ([], "cache"), (["--refresh"], "revalidated")] {
        let output = try await host(["today", Self.today, "--verbose"] + words)
        #expect(output.status == 0, "\(output)")
        #expect(output.stdout.contains("$"), "\(output)")
        #expect(output.stderr.contains("wknd-shared/adventures-all: \(source)"), "\(output)")
      }
    }
  }

  @Test func `is listed, shown and opened`() async throws {
    try await withServer { host in
      let list = try await host("content", "list", "--limit", "2", "--json").json
      #expect(list.arrayValue?.count == 2)
      let slug = try #require(list[0]?["slug"]?.stringValue)
      #expect(try await host("content", "show", slug).json["slug"]?.stringValue == slug)
      let opened = try await host("open-url", "adventures://adventure/\(slug)")
      #expect(opened.status == 0, "\(opened)")
      #expect(opened.stdout.contains(try #require(list[0]?["title"]?.stringValue)))
      let missing = try await host("open-url", "adventures://adventure/none")
      #expect(missing.status != 0)
      #expect(missing.stderr.contains("There is no adventure with the slug"), "\(missing)")
    }
  }

  @Test func `is shown old when the server fails, and says so`() async throws {
    let fails = Flag()
    try await withServer { _ in
      fails.isSet ? .response(ServerResponse(status: 503, text: "Out of order")) : nil
    } _: { host in
      #expect(try await host("today", Self.today).status == 0)
      fails.set()
      let output = try await host("today", Self.today, "--refresh", "--json")
      let update = try #require(try output.json[0])
      #expect(update["view"]?["rows"]?.arrayValue?.isEmpty == false, "\(output)")
    }
  }

  @Test func `from a server that is down is an error with advice`() async throws {
    let host = try HostTool()
    // A port that was free a moment ago.
    let port = try await ContentServer(configuration: .init(port: 0)).withRunning {
      $0.url.split(separator: ":").last ?? ""
    }
    try host.folder.write("home/Config.xcconfig", "AEM_SCHEME = http\nAEM_HOST = 127.0.0.1:\(port)\n")
    let output = try await host("today", Self.today)
    #expect(output.status == 69)
    #expect(output.stderr.contains("answered: Nobody listens at http://127.0.0.1:\(port)."), "\(output)")
    #expect(output.stderr.contains("help: "))
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var fault: ContentFault
    var said: String

    static let all = [
      Fault(testDescription: "404", fault: .response(ServerResponse(status: 404, text: "Not Found")), said: "404"),
      Fault(testDescription: "500", fault: .response(ServerResponse(status: 500, text: "Oops")), said: "500"),
      Fault(testDescription: "HTML", fault: .loginPage, said: "a web page instead of JSON"),
      Fault(testDescription: "errors in a 200", fault: .errors("Cannot query field"), said: "Cannot query field"),
      Fault(
        testDescription: "torn JSON",
        fault: .response(ServerResponse(text: "{\"data\":{", contentType: "application/json")), said: "JSON"),
    ]
  }

  @Test(arguments: Fault.all) func `from a server on a bad day is an error with advice`(fault: Fault) async throws {
    try await withServer { _ in
      fault.fault
    } _: { host in
      let output = try await host("today", Self.today)
      #expect(output.status == 69, "\(output)")
      #expect(output.stderr.contains("error: ") && output.stderr.contains("help: "))
      #expect(output.stderr.localizedCaseInsensitiveContains(fault.said), "\(output)")
      let update = try await host("today", Self.today, "--json").json[0]
      #expect(update?["result"] == "failed")
      #expect(update?["error"]?["name"] == "contentFailed")
    }
  }

  @Test func `from a server that never answers is an error before the widget's own deadline`() async throws {
    let server = try SilentServer()
    let host = try HostTool()
    try host.folder.write("home/Config.xcconfig", "AEM_SCHEME = http\nAEM_HOST = 127.0.0.1:\(server.port)\n")
    let output = try await host("today", Self.today)
    #expect(output.status == 69, "\(output)")
    #expect(output.stderr.contains("answered: http://127.0.0.1:\(server.port) did not answer in time."), "\(output)")
  }

  @Test func `is served until the server is asked to end`() async throws {
    let host = try HostTool()
    let server = try host.start(["serve", "content", "--port", "0", "--json"])
    let ready = try JSONValue(parsing: try await server.hear("\n"))
    #expect(ready["ready"]?.stringValue?.hasPrefix("http://127.0.0.1:") == true)
    server.signal(SIGTERM)
    let output = try await server.finish()
    #expect(output.status == 0, "\(output)")
    #expect(output.stderr == "")
  }
}
