package import ExtensionHosting

package enum AuthHost: HostFeature {
  /// Apps sign in where their manifests say. A host that is configured with an identity server, or that can ask its user
  /// to sign in, makes the service itself.
  package static func makeService(in environment: HostEnvironment) -> AuthService {
    AuthService(in: environment, identities: IdentityBook(in: environment))
  }
}
