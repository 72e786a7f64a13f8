import ExtensionHosting
import ExtensionTesting
import FeatureChecks
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `What services are made of` {
  private enum WeatherHost: HostFeature {
    static func makeService(in environment: HostEnvironment) throws -> WeatherService {
      let tide = try environment.service(TideService.self)
      return WeatherService { _ in tide.level }
    }
  }

  private enum Tide: ServiceContract {
    static let name = "tide"
    static let methods: [any RemoteMethod.Type] = []
  }

  private struct TideService: HostService {
    typealias Contract = Tide
    let level: Double
    @HandlerBuilder var handlers: [Handler] {}
  }

  private enum TideHost: HostFeature {
    static func makeService(in environment: HostEnvironment) -> TideService { TideService(level: 3) }
  }

  /// Needs the weather, which needs it.
  private enum CircularTideHost: HostFeature {
    static func makeService(in environment: HostEnvironment) throws -> TideService {
      _ = try environment.service(WeatherService.self)
      return TideService(level: 0)
    }
  }

  private func environment(_ features: [any HostFeature.Type]) throws -> HostEnvironment {
    try HostEnvironment(
      ExtensionHost.Configuration(
        registry: ExtensionRegistry(RegistrySources()), state: StateDirectory(path: "/nonexistent"),
        launcherPath: "/nonexistent"), features: HostFeatures(features))
  }

  @Test func `has the services that a service needs, in any order`() async throws {
    for features in [[WeatherHost.self, TideHost.self], [TideHost.self, WeatherHost.self]] as [[any HostFeature.Type]] {
      let host = try environment(features).makeHost()
      #expect(try await host.service(WeatherService.self).read("Oslo") == 3)
    }
  }

  @Test func `has what the host app made in place of the feature's own`() async throws {
    let environment = try environment([WeatherHost.self, TideHost.self])
    environment.use(TideService(level: 9))
    let host = try environment.makeHost()
    #expect(try await host.service(WeatherService.self).read("Oslo") == 9)
    #expect(try environment.host.get() === host)
  }

  @Test func `refuses services that need each other in a circle, and one that nobody makes`() {
    let circle = #expect(throws: ExtensionError.self) {
      try environment([WeatherHost.self, CircularTideHost.self]).makeHost()
    }
    #expect(circle?.message == "Services need each other in a circle: WeatherService, TideService, WeatherService.")
    let missing = #expect(throws: ExtensionError.self) { try environment([WeatherHost.self]).makeHost() }
    #expect(missing?.message == "No feature of this host has a TideService, which its WeatherService needs.")
  }

  @Test func `says each time why a service cannot be made, until it can`() throws {
    let environment = try environment([WeatherHost.self])
    for _ in 0..<2 {
      let missing = #expect(throws: ExtensionError.self) { try environment.service(WeatherService.self) }
      #expect(missing?.message == "No feature of this host has a TideService, which its WeatherService needs.")
      let alone = #expect(throws: ExtensionError.self) { try environment.service(TideService.self) }
      #expect(alone?.message == "No feature of this host has a TideService.")
    }
    environment.add(HostFeatures([TideHost.self]))
    _ = try environment.service(WeatherService.self)
    environment.leaveOut(TideService.self)
    #expect(try environment.service(TideService.self).level == 3, "it was made before")
    let without = try self.environment([TideHost.self, WeatherHost.self])
    without.leaveOut(TideService.self)
    #expect(throws: ExtensionError.self) { try without.makeHost() }
    #expect(throws: ExtensionError.self) { try environment.host.get() }
  }

  @Test func `has a log in which no extension can write too much`() throws {
    let configuration = ExtensionHost.Configuration(
      registry: ExtensionRegistry(RegistrySources()), state: StateDirectory(path: "/nonexistent"),
      launcherPath: "/nonexistent", log: KeptLog())
    let log = try HostEnvironment(configuration, features: HostFeatures([TideHost.self])).log
    #expect(log is MeteredLog)
  }

  private enum Broken: ServiceContract {
    static let name = "broken"
    static let methods: [any RemoteMethod.Type] = []
  }

  /// Its own work fails at once.
  private struct BrokenService: HostService {
    typealias Contract = Broken
    @HandlerBuilder var handlers: [Handler] {}
    func run() async throws { throw ExtensionError(.internalError, "The work failed.") }
  }

  private enum BrokenHost: HostFeature {
    static func makeService(in environment: HostEnvironment) -> BrokenService { BrokenService() }
  }

  @Test func `ends the host when one's own work fails`() async throws {
    let host = try environment([TideHost.self, BrokenHost.self]).makeHost()
    await #expect(throws: ExtensionError(.internalError, "The work failed.")) { try await host.run() }
  }

  @Test func `makes every service of this package`() throws {
    let environment = try HostEnvironment(
      ExtensionHost.Configuration(
        registry: ExtensionRegistry(RegistrySources()), state: StateDirectory(path: "/nonexistent"),
        launcherPath: "/nonexistent"), features: Features.hosts)
    #expect(throws: ExtensionError.self) { try environment.host.get() }
    let served = Set(try environment.makeHost().methods)
    for contract in Features.contracts { for method in contract.methods { #expect(served.contains(method.method)) } }
  }
}
