import ExtensionProtocol

/// The standard error of an extension: bounded, split into lines, safe to print, without secrets.
///
/// The last lines alone may be the frames of a stack trace, without the line above that names the error. So the first
/// lines after the last pause are kept too.
struct StandardErrorRing: Sendable {
  /// Bytes seen in all.
  private(set) var byteCount = 0
  private var partial: [UInt8] = []
  /// The first lines after the last quiet moment.
  private var first: [String] = []
  /// The last complete lines, oldest first.
  private var last: [String] = []
  /// Lines since the last quiet moment.
  private var count = 0
  private var lastTime: UInt64 = 0
  /// Bytes that are kept.
  var size: Int { (first + last).reduce(partial.count) { $0 + $1.utf8.count } }

  /// The most lines that are shown; of these, `firstLimit` are the first ones when there were more.
  static let lineLimit = 20
  static let firstLimit = 8
  static let lineBytes = 4096
  /// Nanoseconds without a byte that make a quiet moment.
  static let quiet: UInt64 = 100_000_000

  /// The last lines, oldest first; where more than these came at once, the first of them, and how many are left out.
  var lines: [String] {
    guard count > Self.lineLimit else { return last }
    let rest = last.suffix(Self.lineLimit - 1 - first.count)
    return first + ["… (\(count - first.count - rest.count) lines left out)"] + rest
  }

  /// Takes a chunk and returns the lines that it completed.
  ///
  /// - Parameter time: when it came, in monotonic nanoseconds.
  mutating func append(_ bytes: some Collection<UInt8>, at time: UInt64) -> [String] {
    byteCount += bytes.count
    if time > lastTime &+ Self.quiet {
      first = []
      count = 0
    }
    lastTime = time
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

  /// Ends the stream; an unfinished last line is kept.
  mutating func finish() -> [String] {
    guard !partial.isEmpty else { return [] }
    let end = [finishLine()]
    keep(end)
    return end
  }

  private mutating func finishLine() -> String {
    defer { partial.removeAll(keepingCapacity: true) }
    return Secrets.redacted(Self.printable(partial))
  }

  private mutating func keep(_ completed: [String]) {
    first += completed.prefix(Self.firstLimit - first.count)
    count += completed.count
    last = (last + completed.suffix(Self.lineLimit)).suffix(Self.lineLimit)
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
