import CLinux
import Files
import Glibc

/// The user that runs the host, because a real root sets a sandbox up in another way than an ordinary user.
package struct HostIdentity: Sendable, Hashable {
  package let userID: UInt32
  package let groupID: UInt32
  /// Whether the host may give processes and files to other users. Such a host makes namespaces and mounts by its own right
  /// and then gives up its ids; everyone else needs a user namespace. A root that lacks the rights, or that has only its
  /// own id (`unshare -r`), is treated as an ordinary user.
  package let isRoot: Bool
  /// What this process may do as root, and in which user namespace: a result of a probe holds for one such text.
  package let rights: String

  /// 1879048192 to 2147483647, which systemd's user and group ranges leave unused: the users that extensions of a root
  /// host have.
  package static let extensionUsers = 1_879_048_192...2_147_483_647 as ClosedRange<UInt32>

  /// - Parameter isRoot: `nil` for every user with the number 0.
  package init(userID: UInt32, groupID: UInt32, isRoot: Bool? = nil, rights: String = "") {
    self.userID = userID
    self.groupID = groupID
    self.isRoot = isRoot ?? (userID == 0)
    self.rights = rights
  }

  package static var current: HostIdentity {
    let capabilities = geteuid() == 0 ? clinux_effective_capabilities() : 0
    return HostIdentity(
      userID: geteuid(), groupID: getegid(), isRoot: geteuid() == 0 && givesAway(capabilities),
      rights: "\(namespace) \(String(capabilities, radix: 16))")
  }

  /// What extensions that run as the host's own user are told that it is. Theirs is never called 0: programs take that
  /// for a right.
  var innerUserID: UInt32 { userID == 0 ? Self.nobody : userID }
  var innerGroupID: UInt32 { groupID == 0 ? Self.nobody : groupID }

  /// In Debian's numbering.
  private static let nobody: UInt32 = 65_534

  private static func givesAway(_ capabilities: UInt64) -> Bool {
    let needed = [CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_KILL, CAP_SETGID, CAP_SETUID]
    return hasExtensionUsers && needed.allSatisfy { capabilities & 1 << UInt64($0) != 0 }
  }

  private static let namespace = File.linkTarget(of: "/proc/self/ns/user") ?? ""
  /// A process's maps do not change.
  private static let hasExtensionUsers = ["uid_map", "gid_map"].allSatisfy { name in
    IdentifierMap(File.prefix(of: "/proc/self/\(name)", limit: 1 << 16) ?? []).contains(extensionUsers)
  }
}

/// Which users, or groups, there are in a user namespace: `/proc/<pid>/uid_map`.
struct IdentifierMap {
  private let ranges: [ClosedRange<UInt64>]

  /// - Parameter bytes: lines of a first identifier inside, the first outside, and how many. Others are passed over.
  init(_ bytes: [UInt8]) {
    ranges = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let numbers = line.split(separator: " ").compactMap { UInt32($0) }.map(UInt64.init)
      guard numbers.count == 3, numbers[2] > 0 else { return nil }
      return numbers[0]...numbers[0] + numbers[2] - 1
    }
  }

  func contains(_ users: ClosedRange<UInt32>) -> Bool {
    ranges.contains { $0.contains(UInt64(users.lowerBound)) && $0.contains(UInt64(users.upperBound)) }
  }
}

/// The running kernel and its boot.
package struct MachineIdentity: Sendable, Hashable {
  package let kernelRelease: String
  /// Empty when /proc does not show it.
  package let bootID: String

  package init(kernelRelease: String, bootID: String) {
    self.kernelRelease = kernelRelease
    self.bootID = bootID
  }

  package static var current: MachineIdentity {
    MachineIdentity(
      kernelRelease: line(of: "/proc/sys/kernel/osrelease"), bootID: line(of: "/proc/sys/kernel/random/boot_id"))
  }

  private static func line(of path: String) -> String {
    let bytes = File.prefix(of: path, limit: 256) ?? []
    return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }
}
