import AppExtensions
import ExtensionHosting

/// A feature as an embedder writes it.
enum Weather: ServiceContract {
  static let name = "weather"
  static let methods: [any RemoteMethod.Type] = [Current.self]

  struct Current: RemoteMethod {
    static let method = "weather/current"
    struct Result: Codable, Sendable, Equatable { var celsius: Double }
    var place: String
  }
}

struct WeatherService: HostService {
  typealias Contract = Weather
  let read: @Sendable (_ place: String) async throws -> Double
  var gone: @Sendable (Caller) -> Void = { _ in }

  @HandlerBuilder var handlers: [Handler] {
    Handler(Weather.Current.self) { params, _ in Weather.Current.Result(celsius: try await read(params.place)) }
  }

  func callerDidExit(_ caller: Caller) async { gone(caller) }
}
