import CommandLineTool
import CommandRuntime
import Contracts
import EventLoop
import ExtensionProtocol
import HostServices
import SessionServices
import JSON
import JSONRPC
import Transfers

/// `host sessions watch`: a line for whatever becomes of a task.
struct SessionFollower {
  private struct Seen: Equatable {
    var state: Sessions.State
    var tenth: Int64
  }

  private let invocation: Invocation
  private let service: SessionService

  init(_ invocation: Invocation, _ service: SessionService) {
    self.invocation = invocation
    self.service = service
  }

  func run() async throws -> ExitStatus {
    try await invocation.watching {
      var seen: [Int64: Seen] = [:]
      while !Task.isCancelled {
        let count = service.journal.changes.count
        var now: [Int64: Seen] = [:]
        for session in try await service.sessions() {
          for task in try await service.records(of: session.key) {
            let state = Seen(state: Sessions.TaskStatus(task).state, tenth: Self.tenth(of: task))
            now[task.id] = state
            if seen[task.id] != state { try report(task) }
          }
        }
        seen = now
        try await service.journal.changes.wait(past: count)
      }
    }
  }

  /// How many tenths have gone over: not every piece is worth a line.
  private static func tenth(of task: TransferRecord) -> Int64 {
    guard let all = task.bytesExpected, all > 0 else { return task.bytesDone >> 20 }
    return Int64(10 * Double(task.bytesDone) / Double(all))
  }

  private func report(_ task: TransferRecord) throws {
    if invocation.wantsJSON {
      var object = try JSONCoding.value(of: Sessions.TaskStatus(task)).objectValue ?? JSONObject()
      object["session"] = .string(task.session.identifier)
      object["app"] = .string(task.session.app)
      return invocation.printJSONLine(.object(object))
    }
    invocation.console.print(
      "\(task.session.identifier) \(task.id) \(task.kind.rawValue) \(Sessions.TaskStatus(task).state.rawValue) \(SessionList.progress(of: [task])) \(task.request.url)"
    )
  }
}
