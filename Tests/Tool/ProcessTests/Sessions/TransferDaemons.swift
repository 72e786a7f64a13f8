import Glibc

/// The daemons that make the transfers of a tool's home.
enum TransferDaemons {
  static func running(of host: HostTool) -> [Int32] { Processes.running("run\0--home\0\(host.home)\0") }

  /// Ends them, and waits for that.
  static func end(of host: HostTool) async {
    for pid in running(of: host) {
      kill(pid, SIGTERM)
      await Processes.end(of: pid, within: .seconds(10))
    }
  }
}
