import Glibc

/// The user that an extension runs as when the host runs as root: one for each containing app, never 0.
///
/// The identifiers lie in ``range``, which systemd's user and group ranges leave unused. Those of apps are given out by
/// ``ExtensionUsers``; the first of them are for programs that the tool itself runs.
package struct ExtensionUser: Sendable, Equatable {
  /// 1879048192 to 2147483647.
  static let range = 1_879_048_192...2_147_483_647 as ClosedRange<UInt32>
  /// What is given out to apps.
  static let ofApps = range.lowerBound + 16...range.upperBound

  /// The user's identifier, and that of its group.
  package let uid: UInt32
  package var gid: UInt32 { uid }

  init(uid: UInt32) { self.uid = uid }

  /// For a program that is run by hand, in folders of its own: `host sandbox run`, and the start that `host doctor` tries.
  ///
  /// - Returns: `nil` when the host is not root: the program then runs as the host's own user.
  package static var ofTool: ExtensionUser? { geteuid() == 0 ? ExtensionUser(uid: range.lowerBound) : nil }
}
