import CLinux
import Glibc

/// Removes the scratch folders of hosts that were killed: their names begin with a process identifier that is free now.
enum ScratchSweep {
  static func sweep(_ parent: String) {
    guard let stream = opendir(parent) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let pid = name.split(separator: "-").first.flatMap({ pid_t($0) }), name.contains("-") else { continue }
      if kill(pid, 0) != 0, errno == ESRCH { _ = clinux_remove_tree("\(parent)/\(name)") }
    }
  }
}
