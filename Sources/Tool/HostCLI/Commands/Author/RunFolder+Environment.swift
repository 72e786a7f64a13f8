import ExtensionHosting
import ExtensionProtocol
import Files
import Sandbox

extension RunFolder {
  /// A folder for one run of a command, outside of the host's state: only the host may enter that.
  ///
  /// - Parameters:
  ///   - name: one word for the command.
  ///   - environment: `TMPDIR`, when absolute, says where; else it is `/tmp`.
  convenience init(_ name: String, _ environment: [String: String]) throws(ExtensionError) {
    do throws(FileError) {
      try self.init(name, in: environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp")
    } catch {
      throw ExtensionError(error, recovery: "Set TMPDIR to a folder that you can write.")
    }
  }
}
