package import Conformance
package import Contracts
import ExtensionProtocol

extension Features {
  /// Every check, those of the features included.
  package static let checks = CheckList(conformance, hosts: hosts, points: points.points)
}
