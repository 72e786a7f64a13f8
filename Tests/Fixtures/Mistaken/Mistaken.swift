import AppExtensions
import Glibc

/// A widget that makes a usual mistake: the one that the file `mistake` in its container names.
@main
struct Mistaken: TodayExtension {
  func performUpdate(in context: ExtensionContext) async throws -> UpdateResult {
    let container = context.host?.directories.container ?? "."
    switch try Self.order(in: container) {
    case "loop": while getpid() > 0 {}
    case "memory":
      var blocks: [[UInt8]] = []
      while blocks.count < 1_000 { blocks.append([UInt8](repeating: 1, count: 10_000_000)) }
    case "socket":
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      guard descriptor >= 0 else { throw Refused(call: "socket", reason: String(cString: strerror(errno))) }
      close(descriptor)
    case let other: return .newData("\(other) is no mistake")
    }
    return .noData
  }

  private static func order(in container: String) throws -> String {
    let descriptor = open("\(container)/mistake", O_RDONLY)
    guard descriptor >= 0 else { throw Refused(call: "open", reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

/// A call that the system refused.
struct Refused: Error, CustomStringConvertible {
  let call: String
  let reason: String
  var description: String { "\(call): \(reason)" }
}
