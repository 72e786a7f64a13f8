import Files
import Sandbox

/// The scratch folders of processes are called `<pid of the host>-<its start time>-<letters>`: those of hosts that were
/// killed can be told from those of hosts that run.
enum ScratchSweep {
  /// What the path of a folder of this host begins with.
  static func beginning(in parent: String) -> String { "\(parent)/\(ProcessIdentity.current.text)-" }

  /// Removes the folders of hosts that run no more, and nothing else.
  static func sweep(_ parent: String) {
    // One look at each host, however many folders it has.
    var living: Set<ProcessIdentity> = [.current]
    for name in Folder.names(in: parent) {
      guard let end = name.lastIndex(of: "-"), let host = ProcessIdentity(name[..<end]), !living.contains(host) else {
        continue
      }
      if host.isAlive { living.insert(host) } else { try? Folder.remove("\(parent)/\(name)") }
    }
  }
}
