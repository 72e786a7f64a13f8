import CLinux
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

  /// Waits for the end of a process that is not a child of this one.
  static func end(of pid: Int32, within limit: Duration) async {
    let pidfd = clinux_pidfd_open(pid)
    guard pidfd >= 0 else { return }
    let milliseconds = Int32(limit / .milliseconds(1))
    await withCheckedContinuation { continuation in
      Thread {
        var entry = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
        poll(&entry, 1, milliseconds)
        close(pidfd)
        continuation.resume()
      }.start()
    }
  }

  /// The mounts that this process sees, a line each.
  static var mounts: Set<String> {
    let text = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)
    return Set((text ?? "").split(separator: "\n").map(String.init))
  }

  /// System V segments of users that only extensions have, a line each.
  static var sharedMemory: Set<String> {
    let text = (try? String(contentsOfFile: "/proc/sysvipc/shm", encoding: .utf8)) ?? ""
    return Set(
      text.split(separator: "\n").dropFirst().map(String.init).filter { line in
        let fields = line.split(separator: " ")
        return fields.count > 7 && (UInt32(fields[7]) ?? 0) >= 1_879_048_192
      })
  }

  /// The process that a process is a child of.
  static func parent(of pid: Int32) -> Int32? {
    guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let end = stat.lastIndex(of: ")")
    else { return nil }
    return stat[stat.index(after: end)...].split(separator: " ").dropFirst().first.flatMap { Int32($0) }
  }

  /// How many descriptors this process has open.
  static var descriptors: Int { ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count }

  /// The same without those by which event loops wait.
  static var descriptorsBesideLoops: Int {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let loops: Set<String> = ["anon_inode:[eventpoll]", "anon_inode:[eventfd]", "anon_inode:inotify"]
    return names.count { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
      return target.map { !loops.contains($0) } ?? false
    }
  }

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
