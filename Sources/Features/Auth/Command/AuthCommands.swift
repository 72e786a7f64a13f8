package import CommandRuntime
import ExtensionHosting
package import HostServices
import IdentityServices

/// Sign-in and access tokens in the tool.
package enum AuthCommands: CommandFeature {
  package static let commands: [any HostSubcommand.Type] = [AuthCommand.self]
  package static let servers: [any LocalServer.Type] = [LocalIdentityServer.self]

  /// Apps sign in where their manifests say, else where the configuration says; the user is asked at the terminal.
  package static func prepare(_ services: inout StandardServices, for invocation: Invocation) throws {
    let identities = try AuthPlace.book(invocation, services.configuration.registry)
    let asker = SignInAsker.asker(invocation, identities)
    services.use { AuthService(in: $0, identities: identities, signIn: asker) }
  }
}
