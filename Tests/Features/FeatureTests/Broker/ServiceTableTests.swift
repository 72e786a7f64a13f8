import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import ContentServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A host's list of services` {
  private struct Trespasser: HostService {
    typealias Contract = Weather
    @HandlerBuilder var handlers: [Handler] {
      Handler(Weather.Current.self) { _, _ in Weather.Current.Result(celsius: 0) }
      Handler(Defaults.All.self) { _, _ in Defaults.All.Result(values: [:], revision: 0) }
    }
  }

  private enum Half: ServiceContract {
    static let name = "half"
    static let methods: [any RemoteMethod.Type] = [One.self, Two.self]
    struct One: RemoteMethod {
      typealias Result = Empty
      static let method = "half/one"
    }
    struct Two: RemoteMethod {
      typealias Result = Empty
      static let method = "half/two"
    }
  }

  private struct HalfService: HostService {
    typealias Contract = Half
    @HandlerBuilder var handlers: [Handler] {
      Handler(Half.One.self) { _, _ in Empty() }
    }
  }

  private enum Greedy: ServiceContract {
    static let name = "greedy"
    static let methods: [any RemoteMethod.Type] = []
    static let access = [Allowlist.Row("weather/*", nil, nil, "It would open what is not its own.")]
  }

  private struct GreedyService: HostService {
    typealias Contract = Greedy
    @HandlerBuilder var handlers: [Handler] {}
  }

  private func refusal(_ services: [any HostService]) async -> ExtensionError? {
    await #expect(throws: ExtensionError.self) {
      try await TestHost(services: services).withExtension(WidgetProbe.self) { _ in Issue.record("The body ran.") }
    }
  }

  @Test func `has no two for one prefix`() async {
    let caught = await refusal([WeatherService { _ in 1 }, WeatherService { _ in 2 }])
    #expect(caught?.code == .internalError)
    #expect(caught?.message.contains("weather") == true)
  }

  @Test func `has none that serves a method of another prefix`() async {
    let caught = await refusal([Trespasser()])
    #expect(caught?.code == .internalError)
    #expect(caught?.message.contains("defaults/all") == true)
  }

  @Test func `has none that leaves out a method of its contract`() async {
    let caught = await refusal([HalfService()])
    #expect(caught?.code == .internalError)
    #expect(caught?.message.contains("half/two") == true)
  }

  @Test func `has none that decides who may call others`() async {
    let caught = await refusal([GreedyService(), WeatherService { _ in 1 }])
    #expect(caught?.code == .internalError)
    #expect(caught?.message.contains("weather/*") == true)
  }

  @Test func `may be every service of this package at once`() async throws {
    let requests = RequestService()
    let services: [any HostService] = [
      requests, DefaultsService(store: .inMemory()), ItemService { $0 == $1 },
      OpenURLService(requests: requests) { _ in
        nil
      } deliver: { _, _, _ in
        OpenURL.Deliver.Result(handled: false)
      }, ContentService { _ in throw CancellationError() }, WeatherService { _ in 9 },
    ]
    let result = try await TestHost(services: services).update { _ in .newData("ok") }
    #expect(result == .newData("ok"))
  }
}
