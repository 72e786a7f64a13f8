import CommandRuntime
import ExtensionHosting
import HostServices
import Testing

@testable import FeatureCommands
@testable import IdentityServices

/// The service of sign-ins that commands give their host.
@Suite(.timeLimit(.minutes(1)))
struct `The sign-ins of a tool` {
  @Test func `lead no call to a server of the tool that its user did not open for extensions`() throws {
    let stage = try FeatureStage(AuthCommand.command)
    let invocation = try stage.invocation("accounts")
    let state = try invocation.state()
    var services = StandardServices(state: state, registry: ExtensionRegistry(RegistrySources()))
    try AuthCommands.prepare(&services, for: invocation)
    let host = try services.makeHost()
    let localServers = try #require(host.service(AuthService.self).localServers)
    #expect(localServers.servers(atPort: 9_399).isEmpty)
    let entry = LocalServers.Entry(name: "data", host: "127.0.0.1", port: 9_399, admitsFetches: false)
    try LocalServers(state).add(entry)
    #expect(localServers.servers(atPort: 9_399) == [entry])
  }
}
