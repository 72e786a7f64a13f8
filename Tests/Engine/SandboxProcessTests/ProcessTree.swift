import CLinux
import Glibc

/// The processes below another one, held by descriptors so that no number is used twice.
enum ProcessTree {
  /// The process that descends from another one through all that the launcher makes: the extension.
  static func last(below pid: Int32) -> Int32 {
    let children = Workshop.contents(of: "/proc/\(pid)/task/\(pid)/children") ?? ""
    return children.split(separator: " ").compactMap { Int32($0) }.first.map(last) ?? pid
  }

  /// One descriptor for the process and one for each that descends from it, from the top down.
  static func descriptors(of pid: Int32) throws -> [Int32] {
    var waiting = [pid]
    var descriptors: [Int32] = []
    while !waiting.isEmpty {
      let next = waiting.removeFirst()
      let descriptor = clinux_pidfd_open(next)
      guard descriptor >= 0 else { throw Failure("pidfd_open \(next)") }
      descriptors.append(descriptor)
      let children = Workshop.contents(of: "/proc/\(next)/task/\(next)/children") ?? ""
      waiting += children.split(separator: " ").compactMap { Int32($0) }
    }
    return descriptors
  }

  /// Whether the process ends. It takes milliseconds; the time given is for machines that are busy with other things.
  static func hasEnded(_ descriptor: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 20_000) == 1
  }

  /// The first lines that a pipe gives.
  static func lines(_ count: Int, from descriptor: Int32) throws -> [String] {
    var text = ""
    while text.split(separator: "\n").count < count || !text.hasSuffix("\n") {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      var buffer = [UInt8](repeating: 0, count: 4096)
      guard poll(&waiting, 1, 20_000) == 1 else { throw Failure("only: \(text)") }
      let received = read(descriptor, &buffer, buffer.count)
      guard received > 0 else { throw Failure("only: \(text)") }
      text += String(decoding: buffer[..<received], as: UTF8.self)
    }
    return text.split(separator: "\n").map(String.init)
  }
}
