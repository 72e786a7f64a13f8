import CLinux
import Glibc
import Sandbox

/// The scratch folders of processes are called `<pid of the host>-<its start time>-<letters>`: those of hosts that were
/// killed can be told from those of hosts that run.
enum ScratchSweep {
  /// The template of `mkdtemp` for a folder of this host.
  static func template(in parent: String) -> String { "\(parent)/\(ProcessIdentity.current.text)-XXXXXX" }

  /// Removes the folders of hosts that run no more, and nothing else.
  static func sweep(_ parent: String) {
    guard let stream = opendir(parent) else { return }
    defer { closedir(stream) }
    // One look at each host, however many folders it has.
    var living: Set<ProcessIdentity> = [.current]
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let end = name.lastIndex(of: "-"), let host = ProcessIdentity(name[..<end]), !living.contains(host) else {
        continue
      }
      if host.isAlive { living.insert(host) } else { _ = clinux_remove_tree("\(parent)/\(name)") }
    }
  }
}
