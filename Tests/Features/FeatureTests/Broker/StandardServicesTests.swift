import JSON
import ExtensionHosting
import ExtensionTesting
import HostServices
import NetworkServices
import ContentServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `Standard services` {
  private func services() -> StandardServices {
    StandardServices(state: StateDirectory(path: "/nonexistent"), registry: ExtensionRegistry(RegistrySources()))
  }

  @Test func `serve every method of every feature whose product is added`() throws {
    var services = services()
    let core = Set(try services.makeHost().methods)
    #expect(core.contains("defaults/get") && !core.contains("content/execute") && !core.contains("network/fetch"))
    for features in [.content, .data, .identity, .network, .session, .standard] as [HostFeatures] {
      services.add(features)
    }
    let served = Set(try services.makeHost().methods)
    for contract in Features.contracts { for method in contract.methods { #expect(served.contains(method.method)) } }
  }

  @Test func `can be replaced, left out and added to`() async throws {
    var services = services()
    services.use(ContentService { Content.Execute.Result(data: ["asked": .string($0.query)], source: .network) })
    let requests = RequestService()
    services.use(requests)
    services.add(.network)
    services.leaveOut(NetworkService.self)
    services.add(WeatherService { _ in 3 })
    let host = try services.makeHost()
    #expect(host.service(RequestService.self) === requests)
    #expect(host.methods.contains("weather/current") && !host.methods.contains("network/fetch"))
    #expect(host.methods.contains("content/execute") && host.methods.contains("context/completeRequest"))
  }

  @Test func `that need one that was left out are named`() {
    var services = services()
    services.leaveOut(RequestService.self)
    let error = #expect(throws: ExtensionError.self) { try services.makeHost() }
    #expect(error?.message.contains("RequestService, which its ") == true, "\(String(describing: error))")
  }

  @Test func `are refused when one of the host app's own takes a prefix that is there`() {
    var services = services()
    services.add(OtherShareService())
    #expect(throws: ExtensionError(.internalError, "Two services share the prefix share.")) { try services.makeHost() }
  }

  private struct OtherShareService: HostService {
    typealias Contract = Share
    @HandlerBuilder var handlers: [Handler] {}
  }
}
