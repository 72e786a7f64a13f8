import ExtensionHosting
import ExtensionProtocol
import Files

/// A folder for one run of a command, outside of the host's state: only the host may enter that.
enum TemporaryFolder {
  /// Makes a folder that only its owner may enter.
  ///
  /// - Parameters:
  ///   - name: what its name begins with, behind that of the project.
  ///   - environment: `TMPDIR`, when absolute, says where; else it is `/tmp`.
  static func make(_ name: String, _ environment: [String: String]) throws(ExtensionError) -> String {
    let parent = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    do throws(FileError) {
      return try Folder.makeTemporary(beginning: "\(parent)/annex-\(name)-")
    } catch {
      throw ExtensionError(error, recovery: "Set TMPDIR to a folder that you can write.")
    }
  }
}
