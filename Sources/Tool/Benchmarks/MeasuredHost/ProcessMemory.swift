import BenchmarkResults
import Files
import Glibc

/// What /proc says of processes.
package enum ProcessMemory {
  /// A field of `smaps_rollup`: `Rss` (resident) or `Pss` (shared pages divided among their users).
  package static func kibibytes(_ field: String, of pid: Int32) throws -> Int {
    let text = BenchFiles.read("/proc/\(pid)/smaps_rollup") ?? ""
    for line in text.split(separator: "\n") where line.hasPrefix("\(field):") {
      let words = line.split(separator: " ")
      if words.count > 1, let value = Int(words[1]) { return value }
    }
    throw BenchmarkError("/proc/\(pid)/smaps_rollup cannot be read.")
  }

  /// A process of this name among the children of this process and their children.
  package static func descendant(named name: String) -> Int32? {
    var waiting = [getpid()]
    while let pid = waiting.popLast() {
      for child in children(of: pid) {
        if BenchFiles.read("/proc/\(child)/comm") == "\(name)\n" { return child }
        waiting.append(child)
      }
    }
    return nil
  }

  /// The children of this process and their children.
  package static var descendants: [Int32] {
    var found: [Int32] = []
    var waiting = [getpid()]
    while let pid = waiting.popLast() {
      let children = children(of: pid)
      found += children
      waiting += children
    }
    return found
  }

  private static func children(of pid: Int32) -> [Int32] {
    var children: [Int32] = []
    for name in Folder.names(in: "/proc/\(pid)/task") {
      guard Int32(name) != nil, let list = BenchFiles.read("/proc/\(pid)/task/\(name)/children") else { continue }
      children += list.split(separator: " ").compactMap { Int32($0) }
    }
    return children
  }
}
