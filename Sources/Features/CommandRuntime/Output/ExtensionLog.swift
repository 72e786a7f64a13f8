import CommandLineTool
package import ExtensionHosting
package import ExtensionProtocol
import Files
import Glibc
import JSON
import Text
import Time

/// What extensions print and log, kept from run to run: a file for each extension in the folder `logs` of the state directory,
/// and the one before it.
///
/// Each line of a file has a time in milliseconds since 1970, a level or `print`, and the text, escaped. A file that has
/// reached ``limit`` takes the place of the one before. What cannot be written is lost.
package struct ExtensionLog: Sendable {
  /// One line.
  package struct Line: Sendable, Equatable {
    /// Seconds since 1970.
    package var time: Double
    /// The level that the extension gave it, or `print` for standard error.
    package var level: String
    /// The text, safe to print.
    package var text: String
  }

  /// Bytes after which a file is closed.
  static let limit = 256 << 10
  /// Bytes that are read of a file: several hosts may have written to it at once.
  private static let readLimit = 512 << 10
  /// Bytes of one line; what is longer is cut.
  static let lineLimit = 4 << 10

  private let folder: String

  /// - Parameter state: the state directory.
  package init(_ state: StateDirectory) { folder = "\(state.path)/logs" }

  /// Writes a line of an extension; lines of the host are left out.
  package func add(_ entry: LogEntry) {
    guard entry.label == .extension, let id = entry.subject, let path = path(of: id) else { return }
    let text = (entry.printed?.line ?? entry.text).escapedForTerminal.prefix(utf8: Self.lineLimit)
    let level = entry.printed == nil ? entry.level.rawValue : "print"
    append("\(Int64(UnixTime.now.fractionalSeconds * 1000)) \(level) \(text)\n", to: path)
  }

  /// The lines that are kept of an extension, oldest first.
  package func lines(of id: String) -> [Line] {
    guard let path = path(of: id) else { return [] }
    return ["\(path).1", path].flatMap { file -> [Line] in
      guard let bytes = try? File.read(file, limit: Self.readLimit) else { return [] }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap(Line.init)
    }
  }

  /// - Returns: `nil` for what is no name of a file.
  private func path(of id: String) -> String? {
    let isName = id.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
        || byte == 0x2E || byte == 0x5F
    }
    return isName && !id.isEmpty && id.utf8.count <= 200 && !id.hasPrefix(".") ? "\(folder)/\(id).log" : nil
  }

  private func append(_ line: String, to path: String) {
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    var descriptor = open(path, flags, 0o600)
    if descriptor < 0, errno == ENOENT {
      try? Folder.make(folder)
      descriptor = open(path, flags, 0o600)
    }
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // In one call, so that lines of several hosts do not mix.
    var line = line
    _ = line.withUTF8 { write(descriptor, $0.baseAddress, $0.count) }
    if lseek(descriptor, 0, SEEK_END) >= Int64(Self.limit) { rename(path, "\(path).1") }
  }
}

extension ExtensionLog.Line {
  /// A line of a file; `nil` for what is none.
  init?(_ line: Substring) {
    // By bytes: a space and an accent behind it are one Character.
    let parts = line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
      .map { Substring($0) }
    guard parts.count == 3, let milliseconds = Int64(parts[0]) else { return nil }
    self.init(time: Double(milliseconds) / 1000, level: String(parts[1]), text: String(parts[2]))
  }
}

/// The log of a host that a command runs: on standard error, and what extensions say in their files.
struct ToolLog: LogSink {
  let console: ConsoleLog
  let files: ExtensionLog

  func log(_ entry: LogEntry) {
    files.add(entry)
    console.log(entry)
  }

  func log(_ level: LogLevel, _ message: String, metadata: [String: JSONValue]) {
    console.log(level, message, metadata: metadata)
  }
}
