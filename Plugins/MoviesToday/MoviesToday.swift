import AppExtensions
import DataConnect
import MoviesSDK

/// A Today widget over a connector of Data Connect: the movies there are, through the package that `host data generate`
/// made. Nothing but the two imports leads to the host.
@main
struct MoviesToday: TodayExtension {
  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult {
    if context.permissions.state(of: "data") == .undecided {
      let state = try await context.requestPermission("data", reason: "To show your movies.")
      if state != .granted { return .newData("Allow “data” to see your movies.") }
    }
    let query = DataConnect.moviesConnector.listMoviesQuery.ref()
    do {
      _ = try await query.execute(fetchPolicy: .serverOnly)
      return .newData(WidgetView(title: "Movies", rows: query.data?.movies.map(\.row) ?? []))
    } catch {
      // What was kept is better than nothing, and the user learns that it is old.
      let kept = try? await query.execute(fetchPolicy: .cacheOnly).data?.movies.map(\.row)
      let reason = AnyDataConnectError(error).message
      let failure = WidgetView.Row(title: "Failed to refresh", subtitle: reason)
      return .newData(WidgetView(title: "Movies", rows: [failure] + (kept ?? [])))
    }
  }
}

extension ListMoviesQuery.Data.Movie {
  fileprivate var row: WidgetView.Row {
    let facts = [genre, medium?.label].compactMap(\.self).joined(separator: ", ")
    return WidgetView.Row(
      title: title, subtitle: facts.isEmpty ? nil : facts, value: releaseYear.map { "\($0)" },
      url: "movies://movie/\(id)")
  }
}

extension Medium {
  /// For people. A schema may have got more values than this program knows.
  fileprivate var label: String {
    switch self {
    case .CINEMA: "at the cinema"
    case .TELEVISION: "on television"
    case ._UNKNOWN(let name): name.lowercased()
    }
  }
}
