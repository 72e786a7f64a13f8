import JSONRPC
import ContentServer
import EventLoop
import Foundation
import HTTPServer
import JSON
import TestSupport
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
      #expect(list["items"]?.arrayValue?.count == 2 && list["source"] == "network" && list["httpStatus"] == 200)
      let first = try #require(list["items"]?[0])
      let slug = try #require(first["slug"]?.stringValue)
      #expect(try await host("content", "show", slug, "--json").json["item"]?["slug"]?.stringValue == slug)
      let shown = try await host("content", "show", slug)
      #expect(shown.stdout.hasPrefix(first["title"]?.stringValue ?? "?"), "\(shown)")
      #expect(shown.stdout.contains("About") && !shown.stdout.contains("<p>"), "\(shown)")
      let opened = try await host("open-url", "adventures://adventure/\(slug)")
      #expect(opened.status == 0, "\(opened)")
      #expect(opened.stdout.contains(try #require(first["title"]?.stringValue)))
      #expect(opened.stdout.contains("Picture: image/"), "\(opened)")
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
    // It keeps its port from others, and nobody can connect.
    let server = try SilentServer(isListening: false)
    try host.folder.write("home/Config.xcconfig", "AEM_SCHEME = http\nAEM_HOST = 127.0.0.1:\(server.port)\n")
    let output = try await host("today", Self.today)
    #expect(output.status == 69)
    #expect(output.stderr.contains("answered: No server answers at http://127.0.0.1:\(server.port)."), "\(output)")
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

  @Test(arguments: try Cases.present(Fault.all)) func `from a server on a bad day is an error with advice`(fault: Fault)
    async throws
  {
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

  @Test func `has pictures, which are real ones of the size that is asked for`() async throws {
    try await withServer { host in
      let slug = try #require(try await host("content", "list", "--json").json["items"]?[0]?["slug"]?.stringValue)
      let file = "\(host.folder.path)/picture.png"
      let arguments = ["content", "image", slug, "--width", "64", "--format", "PNG", "-o", file, "--json"]
      for source in ["network", "cache"] {
        let output = try await host(arguments)
        #expect(output.status == 0, "\(output)")
        #expect(try output.json["mimeType"] == "image/png" && output.json["source"]?.stringValue == source)
      }
      let bytes = Array(try #require(FileManager.default.contents(atPath: file)))
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      // The width in IHDR.
      #expect(bytes[16..<20].elementsEqual([0, 0, 0, 64]))
      let missing = try await host("content", "image", "none", "-o", file)
      #expect(missing.status != 0 && missing.stderr.contains("There is no adventure"), "\(missing)")
    }
  }

  @Test func `that is not whole says so, in every command`() async throws {
    try await withServer { _ in
      .partial("The price is a secret.")
    } _: { host in
      for words in [["today", Self.today], ["content", "list"], ["content", "query", "wknd-shared/adventures-all"]] {
        let output = try await host(words)
        #expect(output.status == 0 && output.stderr.contains("The price is a secret."), "\(output)")
      }
      let list = try await host("content", "list", "--json").json
      #expect(list["errors"]?[0]?["message"] == "The price is a secret.")
    }
  }

  @Test(arguments: [
    (#"{"data":{"adventureList":null}}"#, "“adventureList” is null"),
    (#"{"data":{"personList":{"items":[]}}}"#, "personList"), (#"{"data":{"adventureList":{"items":7}}}"#, "a number"),
  ])
  func `of another shape is no empty list`(body: String, said: String) async throws {
    try await withServer { _ in
      .response(ServerResponse(text: body, contentType: "application/json"))
    } _: { host in
      let output = try await host("content", "list")
      #expect(output.status != 0 && output.stdout.isEmpty, "\(output)")
      #expect(
        output.stderr.replacing("\"", with: "“").contains(said.replacing("”", with: "“").replacing("\"", with: "“")),
        "\(output)")
    }
  }

  @Test func `with a fragment that is null, and a price that is a text, is shown all the same`() async throws {
    let items = #"[null,{"slug":"a","title":"Reef","price":"$5000 USD"},{"slug":"b","title":"Ridge","price":7}]"#
    try await withServer { _ in
      .response(
        ServerResponse(text: #"{"data":{"adventureList":{"items":\#(items)}}}"#, contentType: "application/json"))
    } _: { host in
      let output = try await host("today", Self.today)
      #expect(output.status == 0, "\(output)")
      #expect(output.stdout.contains("$5000 USD") && output.stdout.contains("$7.00"), "\(output)")
    }
  }

  @Test func `that is old since the server is down says so`() async throws {
    let fails = Flag()
    try await withServer { _ in
      fails.isSet ? .response(ServerResponse(status: 503, text: "Out of order")) : nil
    } _: { host in
      let server = try ContentServer(
        configuration: ContentServer.Configuration(
          port: 0, maximumAge: 0,
          fault: { _ in fails.isSet ? .response(ServerResponse(status: 503, text: "Out of order")) : nil }))
      try await server.withRunning { address in
        let authority = address.url.dropFirst("http://".count)
        try host.folder.write("home/Config.xcconfig", "AEM_SCHEME = http\nAEM_HOST = \(authority)\n")
        #expect(try await host("content", "list").status == 0)
        fails.set()
        let output = try await host("content", "list")
        #expect(output.status == 0 && output.stderr.contains("This is content of"), "\(output)")
        #expect(try await host("content", "list", "--json").json["source"] == "stale")
      }
    }
  }

  @Test func `is served from a folder, which is read again when a file changes`() async throws {
    let host = try HostTool()
    try host.folder.write(
      "site/models/people/person.json",
      #"{"title": "Person", "fields": [{"name": "name", "type": "text"}, {"name": "age", "type": "integer"}]}"#)
    let person = "site/content/dam/people/en/ada.json"
    func write(_ name: String) throws {
      try host.folder.write(person, #"{"model": "person", "title": "Ada", "fields": {"name": "\#(name)", "age": 36}}"#)
    }
    try write("Ada")
    try host.folder.write("site/persisted/people/all.graphql", "{ personList { items { name age } } }")
    let server = try host.start(["serve", "content", "--port", "0", "--root", "\(host.folder.path)/site"])
    let ready = try await server.hear("\n")
    let authority = try #require(ready.split(separator: "\n").first?.split(separator: "/").last)
    try host.folder.write("home/Config.xcconfig", "AEM_SCHEME = http\nAEM_HOST = \(authority)\n")
    #expect(try await host("content", "query", "people/all").stdout.contains("Ada"))
    try write("Augusta")
    var told = ""
    let end = ContinuousClock.now + .seconds(30)
    while !told.contains("Augusta"), ContinuousClock.now < end {
      told = try await host("content", "query", "people/all", "--refresh").stdout
    }
    #expect(told.contains("Augusta"))
    try host.folder.write(person, #"{"model": "person", "title": "Ada", "fields": {"nmae": "x"}}"#)
    let said = try await server.hear("last correct content")
    #expect(said.contains("ada.json:1:") && said.contains("nmae"), "\(said)")
    #expect(try await host("content", "query", "people/all", "--refresh").stdout.contains("Augusta"))
    server.signal(SIGTERM)
    _ = try await server.finish()
  }
}
