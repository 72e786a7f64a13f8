package import ExtensionHosting

package enum RequestHost: HostFeature {
  package static func makeService(in environment: HostEnvironment) -> RequestService {
    RequestService(log: environment.log)
  }
}
