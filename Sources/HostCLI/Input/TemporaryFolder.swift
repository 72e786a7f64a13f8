import ExtensionProtocol
import Glibc

/// A folder for one run of a command, outside of the host's state: only the host may enter that.
enum TemporaryFolder {
  /// Makes a folder that only its owner may enter.
  ///
  /// - Parameters:
  ///   - name: what its name begins with, behind that of the project.
  ///   - environment: `TMPDIR`, when absolute, says where; else it is `/tmp`.
  static func make(_ name: String, _ environment: [String: String]) throws(ExtensionError) -> String {
    let parent = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var template = Array("\(parent)/annex-\(name)-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ExtensionError(
        .storeFailed, "Cannot create a folder in \(parent): \(String(cString: strerror(errno))).",
        recovery: "Set TMPDIR to a folder that you can write.")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
