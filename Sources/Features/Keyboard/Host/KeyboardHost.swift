package import ExtensionHosting

package enum KeyboardHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> KeyboardService {
    KeyboardService(permissions: environment.permissions)
  }
}
