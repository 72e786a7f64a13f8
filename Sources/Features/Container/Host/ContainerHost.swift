package import ExtensionHosting

package enum ContainerHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> ContainerService {
    ContainerService(
      state: environment.state, permissions: environment.permissions, points: environment.configuration.points)
  }
}
