import Foundation

/// What runs on this machine, as `/proc` tells it.
enum Processes {
  /// Everything whose command line holds a text, zombies left out.
  static func running(_ text: String) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { pid in
      guard let line = FileManager.default.contents(atPath: "/proc/\(pid)/cmdline") else { return false }
      return String(decoding: line, as: UTF8.self).contains(text)
    }
  }

  /// The real user id of a process.
  static func user(of pid: Int32) -> UInt32? {
    guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8) else { return nil }
    let line = status.split(separator: "\n").first { $0.hasPrefix("Uid:") }
    return line?.split(separator: "\t").dropFirst().first.flatMap { UInt32($0) }
  }

  /// The open descriptors of this process by what they lead to, with how many there are.
  static var descriptors: Int { ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count }

  /// The children of this process that have ended and that nobody has reaped.
  static var zombies: [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { pid in
      guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
        let end = stat.lastIndex(of: ")")
      else { return false }
      let fields = stat[stat.index(after: end)...].split(separator: " ")
      return fields.count > 1 && fields[0] == "Z" && fields[1] == "\(getpid())"
    }
  }
}
