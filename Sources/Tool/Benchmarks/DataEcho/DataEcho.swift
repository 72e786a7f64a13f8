import AppExtensions
import DataConnect
import EchoContract
import MoviesSDK

/// The benchmark's extension with Data Connect: it answers with the titles of the movies there are.
@main
struct DataEcho: AppExtension {
  static let points = [EchoPoint.definition]

  var handlers: [SessionHandler] {
    [
      SessionHandler(EchoText.self) { _, _ in
        let result = try await DataConnect.moviesConnector.listMoviesQuery.execute(fetchPolicy: .serverOnly)
        return EchoText(text: result.data?.movies.map(\.title).joined(separator: ", ") ?? "")
      },
      // Nobody calls these; every extension of the point has them.
      SessionHandler(EchoObjects.self) { params, _ in params },
      SessionHandler(EchoCodableObjects.self) { params, _ in params },
      SessionHandler(EchoMeasure.self) { _, _ in EchoMeasure.Result(moments: []) },
    ]
  }
}
