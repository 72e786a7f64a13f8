package import ExtensionHosting

package enum APIHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> APIService { APIService(log: environment.log) }
}
