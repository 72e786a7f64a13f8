import CLinux
import ExtensionProtocol
import Files
import Glibc
import Sandbox

extension ExtensionHost {
  /// Finds the program `extension-launcher`, which confines every extension, and checks that it is of this host's version.
  ///
  /// It is, in this order: the path that is passed; what `ANNEX_LAUNCHER` names; beside the executable of this process;
  /// `../libexec/annex/extension-launcher` from the executable's folder, where an installation puts it. A path that is
  /// passed or set is never passed over: it is right, or an error.
  ///
  /// - Parameter path: an absolute path; `nil` to look for it.
  /// - Returns: an absolute path.
  /// - Throws: `sandboxUnavailable`, with the places that were looked at, or with both versions.
  public static func findLauncher(at path: String? = nil) throws(ExtensionError) -> String {
    let found = try LauncherSearch().find(path)
    try LauncherVersion.check(found)
    return found
  }
}

/// Where the launcher may be.
struct LauncherSearch {
  static let name = "extension-launcher"
  static let variable = "ANNEX_LAUNCHER"

  /// What the environment names.
  var named: String? = getenv(Self.variable).map { String(cString: $0) }
  /// The folder of this process's executable.
  var folder: String? = File.resolved("/proc/self/exe").map { Folder.parent(of: $0) }

  func find(_ path: String?) throws(ExtensionError) -> String {
    if let path { return try checked(path, "The launcher of the configuration") }
    if let named, !named.isEmpty { return try checked(named, "What \(Self.variable) names") }
    let places = folder.map { ["\($0)/\(Self.name)", "\($0)/../libexec/annex/\(Self.name)"] } ?? []
    for place in places where access(place, X_OK) == 0 { return File.resolved(place) ?? place }
    throw ExtensionError(
      .sandboxUnavailable, "There is no \(Self.name): \(places.joined(separator: " and ")) were looked at.",
      recovery:
        "Put it beside the program (it is a product of the package annex), run \"make install\", or name it with \(Self.variable)."
    )
  }

  private func checked(_ path: String, _ what: String) throws(ExtensionError) -> String {
    guard path.hasPrefix("/") else {
      throw ExtensionError(
        .sandboxUnavailable, "\(what) is “\(path)”, which is no absolute path.", recovery: "Name it from / on.")
    }
    guard access(path, X_OK) == 0 else {
      throw ExtensionError(
        .sandboxUnavailable, "\(what) is “\(path)”, which cannot be executed: \(SystemError.last).",
        recovery: "Build or install the host again, with its launcher, and name the launcher's path.")
    }
    return path
  }
}

/// The version that is written into a launcher's file: nothing need be started to know it.
enum LauncherVersion {
  /// Larger than any launcher.
  private static let limit = 64 << 20
  /// Of version texts.
  private static let lengthLimit = 64

  /// - Throws: `sandboxUnavailable` when the file is of another version, or no launcher.
  static func check(_ path: String) throws(ExtensionError) {
    let bytes: [UInt8]
    do {
      bytes = try File.read(path, limit: limit)
    } catch {
      throw ExtensionError(.sandboxUnavailable, "\(path): \(error.message)", recovery: recovery)
    }
    guard let version = find(in: bytes) else {
      throw ExtensionError(
        .sandboxUnavailable, "\(path) is no \(LauncherSearch.name) of this package.", recovery: recovery)
    }
    guard version == SandboxedProcess.launcherVersion else {
      throw ExtensionError(
        .sandboxUnavailable,
        "The launcher \(path) is of version \(version), and this host needs \(SandboxedProcess.launcherVersion).",
        recovery: recovery)
    }
  }

  private static let recovery =
    "Install the host and its launcher from one release, or name the right launcher with \(LauncherSearch.variable)."

  /// The text between the mark and a line feed.
  static func find(in bytes: [UInt8]) -> String? {
    let mark = Array(SandboxedProcess.launcherVersionMark.utf8)
    let place = clinux_find(bytes, bytes.count, mark, mark.count)
    guard place < bytes.count else { return nil }
    let rest = bytes[(place + mark.count)...].prefix(lengthLimit)
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let text = rest[..<end]
    return text.allSatisfy { (0x21...0x7E).contains($0) } ? String(decoding: text, as: UTF8.self) : nil
  }
}
