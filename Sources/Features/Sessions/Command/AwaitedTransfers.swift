import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import HostServices
import SessionServices
import JSONRPC
import Synchronization

/// `--wait`: waits for the transfers that an extension began for a request, also after the extension has exited.
final class AwaitedTransfers: Sendable {
  private let service: SessionService
  private let invocation: Invocation
  private let caller = Mutex<Caller?>(nil)

  init(_ service: SessionService, _ invocation: Invocation) {
    self.service = service
    self.invocation = invocation
  }

  func follow(_ caller: Caller) {
    service.follow(caller)
    self.caller.withLock { $0 = caller }
  }

  /// Waits, and says on standard error how each transfer ended.
  ///
  /// - Returns: whether the server took or gave what was asked, each time.
  func report() async throws -> Bool {
    guard let caller = caller.withLock({ $0 }) else { return true }
    let progress = ShownProgress("transfers", invocation)
    defer { progress.finish() }
    let ends = try await service.outcomes(of: caller) { task in
      progress.show(CallProgress(Double(task.bytesDone), total: task.bytesExpected.map(Double.init)))
    }
    progress.finish()
    var haveArrived = true
    for end in ends {
      let status = end.response?.status ?? 0
      if let error = end.error {
        invocation.console.warn("transfer \(end.taskID) failed: \(error.localizedDescription)")
      } else {
        invocation.console.note("transfer \(end.taskID) is over: status \(status)")
      }
      haveArrived = haveArrived && end.error == nil && (200...299).contains(status)
    }
    return haveArrived
  }
}
