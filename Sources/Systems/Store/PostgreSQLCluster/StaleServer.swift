import CLinux
import Files
import Glibc

/// A server that an earlier process left behind in a folder that is locked for this one.
enum StaleServer {
  /// Stops it, and takes away what would keep a new one from starting. Blocks.
  ///
  /// - Throws: `startFailed` when it does not end; `cancelled`.
  static func end(in folder: ClusterFolder, _ launch: Launch) throws(PostgreSQLClusterError) {
    guard let bytes = File.prefix(of: folder.processFile, limit: 1 << 12) else { return }
    let first = String(decoding: bytes, as: UTF8.self).prefix { !$0.isNewline }
    if let pid = Int32(first), pid > 1 { try end(pid, in: folder, launch) }
    // Another process may have the number by now, and PostgreSQL would take it for the server.
    File.remove(folder.processFile)
  }

  private static func end(
    _ pid: Int32, in folder: ClusterFolder, _ launch: Launch
  ) throws(PostgreSQLClusterError) {
    let descriptor = clinux_pidfd_open(pid)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // A server works in the folder of its data. The descriptor was there first, so that this is the same process.
    guard File.linkTarget(of: "/proc/\(pid)/cwd") == folder.data else { return }
    for (signal, seconds) in [(SIGINT, 20), (SIGQUIT, 5), (SIGKILL, 5)] {
      _ = clinux_pidfd_signal(descriptor, signal)
      for _ in 0..<seconds * 50 {
        if ProcessDescriptor.wait(descriptor, milliseconds: 20) { return }
        try launch.check()
      }
    }
    throw PostgreSQLClusterError(
      .startFailed, "A server that was left behind, process \(pid), does not end.", recovery: "End it, and try again.")
  }
}
