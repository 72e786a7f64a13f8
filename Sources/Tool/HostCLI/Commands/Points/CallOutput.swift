import CommandLineTool
import CommandRuntime
import ExtensionProtocol

/// Where the data of a result goes: to the file that the user named, whole or not at all, else to standard output as it
/// comes.
final class CallOutput {
  private static let limit = 256 << 20

  private let invocation: Invocation
  private let path: String?
  private var bytes: [UInt8] = []
  private var count = 0

  init(_ invocation: Invocation) {
    self.invocation = invocation
    path = invocation.parsed.value("output")
  }

  /// Takes what comes next.
  ///
  /// - Throws: `limitExceeded` when a file becomes too large; `invalidParams` for bytes that are no text and have no file.
  func write(_ more: [UInt8]) throws(ExtensionError) {
    count += more.count
    guard count <= Self.limit else {
      throw ExtensionError(.limitExceeded, "The extension returned more than \(Self.limit >> 20) MiB.")
    }
    bytes += more
    guard path == nil else { return }
    // A character may be cut at the end of a piece.
    let open = bytes.suffix(3).lastIndex { $0 & 0xC0 == 0xC0 } ?? bytes.endIndex
    let whole = bytes[..<open]
    guard let text = String(validating: whole, as: UTF8.self) else { throw Self.isNoText }
    invocation.console.write(data: text)
    bytes.removeFirst(whole.count)
  }

  /// Everything has come.
  ///
  /// - Returns: the file.
  func finish() throws -> String? {
    if let path {
      try OutputFile.write(bytes, to: path)
      invocation.console.note("Wrote \(count) bytes to \(path).")
      return path
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Self.isNoText }
    invocation.console.write(data: text)
    return nil
  }

  private static var isNoText: ExtensionError {
    ExtensionError(
      .invalidParams, "What the extension returned is not text.", recovery: "Name a file for it with -o FILE.")
  }
}
