import JSONRPC
import EventLoop
import Foundation
import HTTPServer
import JSON
import Synchronization
import Testing

/// The samples over a connector of Data Connect, in the sandbox, against a server of this process.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct `The movies of Data Connect` {
  private static let widget = "com.example.movies.today"
  private static let app = "com.example.movies"
  private static let key = "0f3a0f3a0f3a0f3a0f3a0f3a0f3a0f3a"

  /// What the stub answers, and what it was asked.
  private final class Movies: Sendable {
    private let asked = Mutex<[(operation: String, variables: JSONValue)]>([])
    private let failure = Mutex<String?>(nil)

    var operations: [String] { asked.withLock { $0.map(\.operation) } }
    var variables: [JSONValue] { asked.withLock { $0.map(\.variables) } }

    /// Has every operation fail from now on.
    func fail(_ message: String) { failure.withLock { $0 = message } }

    func answer(_ request: ServerRequest) -> ServerResponse {
      guard let body = try? JSONValue(parsing: String(decoding: request.body, as: UTF8.self)),
        let operation = body["operationName"]?.stringValue,
        request.path.hasPrefix("/v1/projects/demo/locations/us-east4/services/movies/connectors/movies:execute")
      else { return ServerResponse(status: 404) }
      asked.withLock { $0.append((operation, body["variables"] ?? [:])) }
      if let message = failure.withLock({ $0 }) {
        let errors: JSONValue = ["data": .null, "errors": [["message": .string(message)]]]
        return ServerResponse(text: "\(errors)")
      }
      let movie = """
        {"id":"\(key)","title":"Alien","genre":"horror","releaseYear":1979,"medium":"HOLOGRAM","imageUrl":""}
        """
      let data =
        switch operation {
        case "ListMovies", "ListMoviesByGenre": "{\"movies\":[\(movie)]}"
        case "GetMovie": "{\"movie\":\(movie)}"
        case "CreateMovie": "{\"movie_insert\":{\"id\":\"\(key)\"}}"
        default: "{\"movie_update\":null}"
        }
      return ServerResponse(text: "{\"data\":\(data)}")
    }
  }

  /// A tool whose configuration names a server that runs while the body does.
  private func withServer(_ body: (HostTool, Movies) async throws -> Void) async throws {
    let movies = Movies()
    let server = HTTPServer { movies.answer($0) }
    let loop = EventLoop.onThread(name: "movies-server")
    defer { loop.stop() }
    try await withTaskExecutorPreference(loop) {
      try await server.withRunning { address in
        let host = try HostTool()
        let authority = address.url.dropFirst("http://".count)
        try host.folder.write(
          "home/Config.xcconfig",
          "DATA_CONNECT_PROJECT = demo\nDATA_CONNECT_SCHEME = http\nDATA_CONNECT_HOST = \(authority)\n")
        try await body(host, movies)
      }
    }
  }

  @Test func `are shown once the user agrees, those of a kind that is new too`() async throws {
    try await withServer { host, movies in
      let asked = try await host("today", Self.widget)
      #expect(asked.status == 0 && asked.stdout.contains("Allow “data”"), "\(asked)")
      #expect(movies.operations.isEmpty)
      #expect(try await host("permissions", Self.widget, "grant", "data").status == 0)
      let shown = try await host("today", Self.widget, "--json")
      let row = try shown.json[0]?["view"]?["rows"]?[0]
      #expect(row?["title"] == "Alien" && row?["value"] == "1979", "\(shown)")
      #expect(row?["subtitle"] == "horror, hologram", "\(shown)")
      #expect(movies.operations == ["ListMovies"])
    }
  }

  @Test func `that cannot be refreshed are shown old, with the reason`() async throws {
    try await withServer { host, movies in
      #expect(try await host("permissions", Self.widget, "grant", "data").status == 0)
      #expect(try await host("today", Self.widget).stdout.contains("Alien"))
      movies.fail("The database is gone.")
      let output = try await host("today", Self.widget, "--refresh")
      #expect(output.status == 0 && output.stdout.contains("Failed to refresh"), "\(output)")
      #expect(output.stdout.contains("The database is gone.") && output.stdout.contains("Alien"), "\(output)")
    }
  }

  @Test func `are made, listed and shown by the app`() async throws {
    try await withServer { host, movies in
      #expect(try await host("permissions", Self.app, "grant", "data").status == 0)
      let made = try await host("open-url", "movies://create/The%20Thing/horror/1982")
      #expect(made.status == 0 && made.stdout.contains("Made The Thing: 0F3A0F3A"), "\(made)")
      #expect(movies.variables.first?["title"] == "The Thing" && movies.variables.first?["releaseYear"] == 1982)
      #expect(movies.variables.first?["medium"] == "CINEMA")
      let listed = try await host("open-url", "movies://genre/horror")
      #expect(listed.stdout.contains("Alien 0F3A0F3A"), "\(listed)")
      let shown = try await host("open-url", "movies://movie/0F3A0F3A-0F3A-0F3A-0F3A-0F3A0F3A0F3A")
      #expect(shown.stdout.contains("Alien (1979), horror"), "\(shown)")
      #expect(movies.variables.last?["key"]?["id"]?.stringValue == Self.key)
      let gone = try await host("open-url", "movies://rename/0F3A0F3A-0F3A-0F3A-0F3A-0F3A0F3A0F3A/Aliens")
      #expect(gone.stdout.contains("There is no movie"), "\(gone)")
      movies.fail("unauthorized")
      let failed = try await host("open-url", "movies://genre/horror")
      #expect(failed.status != 0 && failed.stderr.contains("Failed to refresh: unauthorized"), "\(failed)")
    }
  }

  @Test func `are not changed by the widget, which may only read`() async throws {
    try await withServer { host, movies in
      #expect(try await host("permissions", Self.widget, "grant", "data").status == 0)
      let words = try await host("permissions", Self.widget)
      #expect(words.stdout.contains("movies/movies:read"), "\(words)")
    }
  }
}
