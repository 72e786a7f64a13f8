package import ExtensionHosting

package enum NetworkHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> NetworkService { NetworkService() }
}
