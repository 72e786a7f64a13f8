import Files
import Glibc

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
