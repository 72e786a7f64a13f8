import DataConnectCompiler
import DataConnectMigration
import EventLoop
import GraphQL
import HTTPServer
import JSON
import Synchronization

/// Tells programs that watch the project what is wrong with it, as Server-Sent Events.
final class IssueStreams: Sendable {
  private let last = Mutex(DeploymentReport())
  private let changed = Signal()

  func tell(_ report: DeploymentReport) {
    last.withLock { $0 = report }
    changed.send()
  }

  /// - Parameter isIssues: `issues`, which are of the files; otherwise `errors`, of the database.
  func response(isIssues: Bool) -> ServerResponse {
    let fields = [ServerField("Content-Type", "text/event-stream"), ServerField("Cache-Control", "no-store")]
    return .stream(headers: fields) { [self] writer in
      while true {
        let count = changed.count
        let result: JSONObject = isIssues ? ["issues": issues] : ["errors": errors]
        try await writer.write("data: \(JSONValue.object(["result": .object(result)]))\n\n")
        try await changed.wait(past: count)
      }
    }
  }

  private var issues: JSONValue {
    let report = last.withLock { $0 }
    let broken = report.breaking.map {
      CompilerProblem(.warning, $0.message, fix: $0.fix, code: "Breaking", at: $0.location)
    }
    return .array((report.problems + broken).map(Self.json))
  }

  private var errors: JSONValue {
    let report = last.withLock { $0 }
    var messages = [report.failure].compactMap(\.self)
    messages += report.refused.map { "This would be lost: \($0.loss ?? $0.sql)" }
    return .array(messages.map { ["message": .string($0)] })
  }

  private static func json(_ problem: CompilerProblem) -> JSONValue {
    var extensions: JSONObject = ["warningLevel": problem.severity == .warning ? "LOG_ONLY" : "UNKNOWN"]
    var error: JSONObject = ["message": .string(problem.message + (problem.fix.map { " \($0)" } ?? ""))]
    if let place = problem.location {
      error["locations"] = [["line": JSONValue(place.line), "column": JSONValue(place.column)]]
      extensions["file"] = .string(place.file)
    }
    error["extensions"] = .object(extensions)
    return .object(error)
  }
}
