import Contracts
package import ExtensionHosting
import ExtensionProtocol

package enum ContentHost: HostFeature {
  /// Where content comes from only a host app knows: one that has any makes the service itself.
  package static func makeService(in environment: HostEnvironment) -> ContentService {
    ContentService { asked in
      throw ExtensionError(.serviceUnavailable, "There is no content here for \(asked.query).")
    }
  }
}
