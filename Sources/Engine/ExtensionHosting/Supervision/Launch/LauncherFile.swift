import CLinux
import ExtensionProtocol
import Files
import Glibc
package import Sandbox

extension ExtensionHost {
  /// The program `extension-launcher`, which confines every extension.
  ///
  /// The launcher is, in this order: the file at the given path; the file that `ANNEX_LAUNCHER` names; the copy inside this
  /// library. A given path or a set variable is used or refused, never skipped.
  ///
  /// - Parameters:
  ///   - path: an absolute path; `nil` for that of the environment, or the copy.
  ///   - state: where the copy is written on a machine that does not execute files in memory.
  /// - Throws: `sandboxUnavailable`, with both versions when the file is of another one.
  package static func findLauncher(at path: String? = nil, state: StateDirectory) throws(ExtensionError) -> Launcher {
    let found = try LauncherSearch(state: state).find(path)
    if let file = found.file { try LauncherVersion.check(file) }
    return found
  }
}

/// The search for the launcher.
struct LauncherSearch {
  static let variable = "ANNEX_LAUNCHER"

  /// The path in the environment, if it is set.
  var named: String? = getenv(Self.variable).map { String(cString: $0) }
  /// Has the folder `launcher`, for a machine that does not execute files in memory.
  let state: StateDirectory

  func find(_ path: String?) throws(ExtensionError) -> Launcher {
    if let path { return try checked(path, "The launcher of the configuration") }
    if let named, !named.isEmpty { return try checked(named, "What \(Self.variable) names") }
    do throws(SandboxError) {
      return try Launcher.embedded { () throws(SandboxError) in
        do throws(ExtensionError) {
          let folder = try state.folder("launcher")
          // The probe of a root host executes the launcher as another user.
          if HostIdentity.current.isRoot { state.openWay(to: "launcher/\(Launcher.name)") }
          return folder
        } catch {
          throw SandboxError(.sandboxUnavailable, error.message, recovery: error.recovery ?? "")
        }
      }
    } catch {
      throw ExtensionError(.sandboxUnavailable, error.message, recovery: error.recovery)
    }
  }

  private func checked(_ path: String, _ what: String) throws(ExtensionError) -> Launcher {
    guard path.hasPrefix("/") else {
      throw ExtensionError(
        .sandboxUnavailable, "\(what) is “\(path)”, which is not an absolute path.", recovery: "Name it from / on.")
    }
    guard access(path, X_OK) == 0 else {
      throw ExtensionError(
        .sandboxUnavailable, "\(what) is “\(path)”, which cannot be executed: \(SystemError.last).",
        recovery: "Name a launcher that is there, or none: this program has one in it.")
    }
    return Launcher(path: path)
  }
}

/// The version that is written into a launcher's file: nothing need be started to know it.
enum LauncherVersion {
  /// Larger than any launcher.
  private static let limit = 64 << 20
  /// The longest text of a version, in bytes.
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
        .sandboxUnavailable, "\(path) is not the \(Launcher.name) of this package.", recovery: recovery)
    }
    guard version == SandboxedProcess.launcherVersion else {
      throw ExtensionError(
        .sandboxUnavailable,
        "The launcher \(path) is of version \(version), and this host needs \(SandboxedProcess.launcherVersion).",
        recovery: recovery)
    }
  }

  private static let recovery =
    "Name a launcher of the host's own version with \(LauncherSearch.variable), or none: the host has one in it."

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
