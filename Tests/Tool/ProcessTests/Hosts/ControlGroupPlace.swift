import ExtensionHosting
import Foundation
import Sandbox

/// Where the tests may make control groups: below the directory that `ANNEX_CONTROL_GROUP` names or that systemd gave to
/// whoever runs them. Nobody else's is used, so on most machines there is none.
enum ControlGroupPlace {
  static let use =
    (try? ExtensionHost.ControlGroupUse(environment: ProcessInfo.processInfo.environment)) ?? .never
  static let groups = try? use.find()

  /// The groups of any host that are there now.
  static var names: [String] {
    guard let path = groups?.path else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasPrefix("annex-") }
  }
}
