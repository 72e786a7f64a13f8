import ExtensionProtocol
import Glibc

/// The standard error of an extension: bounded, split into lines, safe to print, without secrets.
///
/// The last lines alone may be the frames of a stack trace, without the line above that names the error. So the first
/// lines after the last pause are kept too.
struct StandardErrorRing: Sendable {
  /// Bytes seen in all.
  private(set) var byteCount = 0
  private var partial: [UInt8] = []
  /// The first lines after the last quiet moment, as they came.
  private var first: [[UInt8]] = []
  /// The last complete lines, oldest first, as they came.
  private var last: [[UInt8]] = []
  /// Lines since the last quiet moment.
  private var count = 0
  private var lastTime: UInt64 = 0
  /// Bytes that are kept.
  var size: Int { (first + last).reduce(partial.count) { $0 + $1.count } }

  /// The most lines that are shown; of these, `firstLimit` are the first ones when there were more.
  static let lineLimit = 20
  static let firstLimit = 8
  static let lineBytes = 4096
  /// Nanoseconds without a byte that make a quiet moment.
  static let quiet: UInt64 = 100_000_000

  /// The last lines, oldest first; where more than these came at once, the first of them, and how many are left out.
  var lines: [String] {
    guard count > Self.lineLimit else { return last.map(Self.text) }
    let rest = last.suffix(Self.lineLimit - 1 - first.count)
    let leftOut = "… (\(count - first.count - rest.count) lines left out)"
    return first.map(Self.text) + [leftOut] + rest.map(Self.text)
  }

  /// Takes a chunk and returns the lines that it completed, as they came: ``text(_:)`` makes them safe to print. Most
  /// lines of a flood are never shown, so no line is made safe before it is.
  ///
  /// - Parameter time: when it came, in monotonic nanoseconds.
  mutating func append(_ bytes: [UInt8], at time: UInt64) -> [[UInt8]] {
    byteCount += bytes.count
    if time > lastTime &+ Self.quiet {
      first = []
      count = 0
    }
    lastTime = time
    var completed: [[UInt8]] = []
    var start = 0
    while let end = Self.lineEnd(in: bytes, from: start) {
      take(bytes[start..<end])
      completed.append(finishLine())
      start = end + 1
    }
    take(bytes[start...])
    keep(completed)
    return completed
  }

  /// Ends the stream; an unfinished last line is kept.
  mutating func finish() -> [[UInt8]] {
    guard !partial.isEmpty else { return [] }
    let end = [finishLine()]
    keep(end)
    return end
  }

  private mutating func take(_ piece: ArraySlice<UInt8>) {
    partial += piece.prefix(Self.lineBytes - partial.count)
  }

  private mutating func finishLine() -> [UInt8] {
    defer { partial = [] }
    return partial
  }

  private mutating func keep(_ completed: [[UInt8]]) {
    first += completed.prefix(Self.firstLimit - first.count)
    count += completed.count
    last = Array((last + completed.suffix(Self.lineLimit)).suffix(Self.lineLimit))
  }

  private static func lineEnd(in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBytes { all in
      guard let base = all.baseAddress, let found = memchr(base + start, 0x0A, all.count - start) else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// A line without control characters and secrets.
  static func text(_ line: [UInt8]) -> String { Secrets.redacted(printable(line)) }

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
