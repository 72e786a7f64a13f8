import Foundation

/// What this process holds, and what it has started: to compare before and after.
struct Leftovers {
  /// Open descriptors.
  let descriptors: Int
  /// Lines of the table of mounts.
  let mounts: Int
  /// Children, those that have ended and that nobody has reaped among them.
  let children: Int
  /// Memory of this process that no file stands behind, in bytes.
  let memory: Int

  init() {
    descriptors = Self.names("/proc/self/fd").count
    mounts = Self.text("/proc/self/mountinfo").split(separator: "\n").count
    children = Self.names("/proc").count { name in
      guard let stat = Optional(Self.text("/proc/\(name)/stat")), let end = stat.lastIndex(of: ")") else {
        return false
      }
      let fields = stat[stat.index(after: end)...].split(separator: " ")
      return fields.count > 1 && fields[1] == "\(getpid())"
    }
    let line = Self.text("/proc/self/status").split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
    memory = (Int(line.filter(\.isNumber)) ?? 0) << 10
  }

  /// A library may open something once, late, and keep it; what a hostile extension leaves behind is left again and again.
  private static let openedOnce = 2

  /// What there is more of than before.
  func complaints(since before: Leftovers) -> [String] {
    var complaints: [String] = []
    if descriptors > before.descriptors + Self.openedOnce {
      complaints.append("\(descriptors) descriptors after \(before.descriptors)")
    }
    if mounts != before.mounts { complaints.append("\(mounts) mounts after \(before.mounts)") }
    if children != before.children { complaints.append("\(children) children after \(before.children)") }
    if memory - before.memory >= 16 << 20 { complaints.append("\(memory) bytes after \(before.memory)") }
    return complaints
  }

  /// Processes whose command line or environment names a folder, this one left out.
  static func processes(of folder: String) -> [String] {
    names("/proc").filter { name in
      guard let pid = Int32(name), pid != getpid() else { return false }
      return ["cmdline", "environ"].contains { text("/proc/\(pid)/\($0)").contains(folder) }
    }
  }

  private static func names(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  private static func text(_ path: String) -> String {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
