import AppExtensions
import DataConnect
import FoundationEssentials
import MoviesSDK

/// The containing app of the movies. What it does stands in the URL that it is opened with:
///
/// - `movies://create/TITLE/GENRE/YEAR` makes a movie and says its key,
/// - `movies://genre/GENRE` lists those of a genre,
/// - `movies://movie/ID` shows one by its key, and `movies://rename/ID/TITLE` gives it another title,
/// - `movies://watch/GENRE` waits until something about a genre changes.
@main
struct Movies: ContainingApp {
  static let bundleIdentifier = "com.example.movies"

  private var connector: MoviesConnector { DataConnect.moviesConnector }

  func open(_ url: String, from source: OpenURL.Deliver.Source, in context: ExtensionContext) async throws -> String? {
    let scheme = "movies://"
    guard url.hasPrefix(scheme) else { return nil }
    let words = url.dropFirst(scheme.count).split(separator: "/").map { Self.decoded(String($0)) }
    do {
      switch (words.first, words.count) {
      case ("create", 3...4): return try await create(words[1], words[2], words.count > 3 ? Int(words[3]) : nil)
      case ("genre", 2): return try await list(words[1])
      case ("movie", 2): return try await show(words[1])
      case ("rename", 3): return try await rename(words[1], words[2])
      case ("watch", 2): return try await watch(words[1])
      default: return nil
      }
    } catch let error as any DataConnectError {
      throw ExtensionError(.handlerFailed, "Failed to refresh: \(error.message)")
    }
  }

  private func create(_ title: String, _ genre: String, _ year: Int?) async throws -> String {
    let result = try await connector.createMovieMutation.execute(title: title, genre: genre, imageUrl: "") {
      $0.releaseYear = year
      $0.medium = .CINEMA
    }
    return "Made \(title): \(result.data.movie_insert.id)"
  }

  private func list(_ genre: String) async throws -> String {
    let result = try await connector.listMoviesByGenreQuery.execute(fetchPolicy: .serverOnly, genre: genre)
    return Self.lines(of: result.data?.movies ?? [])
  }

  private func show(_ id: String) async throws -> String {
    guard let key = Self.key(id),
      let movie = try await connector.getMovieQuery.execute(fetchPolicy: .serverOnly, key: key).data?.movie
    else { return "There is no movie \(id)." }
    return "\(movie.title) (\(movie.releaseYear.map { "\($0)" } ?? "no year")), \(movie.genre ?? "no genre")"
  }

  private func rename(_ id: String, _ title: String) async throws -> String {
    guard let key = Self.key(id),
      try await connector.renameMovieMutation.execute(key: key, title: title).data.movie_update != nil
    else { return "There is no movie \(id)." }
    return "It is called \(title) now."
  }

  private func watch(_ genre: String) async throws -> String {
    var first: String?
    for await result in connector.listMoviesByGenreQuery.ref(genre: genre).subscribe() {
      let lines = Self.lines(of: try result.get().data?.movies ?? [])
      if let first, lines != first { return lines }
      first = lines
    }
    return "Nothing has changed."
  }

  private static func lines(of movies: [ListMoviesByGenreQuery.Data.Movie]) -> String {
    movies.isEmpty ? "No movies." : movies.map { "\($0.title) \($0.id)" }.joined(separator: "\n")
  }

  private static func key(_ id: String) -> MovieKey? { UUID(uuidString: id).map { MovieKey(id: $0) } }

  /// Without the escapes of a URL.
  private static func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
