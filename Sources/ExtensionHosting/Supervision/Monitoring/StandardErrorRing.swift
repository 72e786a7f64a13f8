import ExtensionProtocol

/// The last lines that an extension wrote to standard error: bounded, split at line ends, safe to print, without secrets.
struct StandardErrorRing: Sendable {
  /// The last complete lines, oldest first.
  private(set) var lines: [String] = []
  /// Bytes seen in all.
  private(set) var byteCount = 0
  private var partial: [UInt8] = []
  /// Bytes that are kept.
  var size: Int { lines.reduce(partial.count) { $0 + $1.utf8.count } }

  static let lineLimit = 64
  static let lineBytes = 4096

  /// Takes a chunk and returns the lines that it completed.
  mutating func append(_ bytes: some Collection<UInt8>) -> [String] {
    byteCount += bytes.count
    var completed: [String] = []
    for byte in bytes {
      if byte == 0x0A {
        completed.append(finishLine())
      } else if partial.count < Self.lineBytes {
        partial.append(byte)
      }
    }
    keep(completed)
    return completed
  }

  /// The stream is over: a last line without an end counts.
  mutating func finish() -> [String] {
    guard !partial.isEmpty else { return [] }
    let last = [finishLine()]
    keep(last)
    return last
  }

  private mutating func finishLine() -> String {
    defer { partial.removeAll(keepingCapacity: true) }
    return Secrets.redacted(Self.printable(partial))
  }

  private mutating func keep(_ completed: [String]) {
    lines += completed
    if lines.count > Self.lineLimit { lines.removeFirst(lines.count - Self.lineLimit) }
  }

  /// Foreign bytes as text without control characters: they reach a terminal and a log.
  static func printable(_ bytes: some Collection<UInt8>) -> String {
    var text = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control where scalar == "\t": text.unicodeScalars.append(scalar)
      case .control, .format, .lineSeparator, .paragraphSeparator:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
