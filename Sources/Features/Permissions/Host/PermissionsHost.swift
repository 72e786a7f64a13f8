package import ExtensionHosting

package enum PermissionsHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> PermissionService {
    PermissionService(environment.permissions)
  }
}
