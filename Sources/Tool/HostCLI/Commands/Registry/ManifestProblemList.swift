import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import JSON

/// Problems of manifests and bundles, for people and for programs.
enum ManifestProblemList {
  static func print(_ problems: [ManifestProblem], to console: Console) {
    for problem in problems {
      console.print("\(problem)")
      console.print("  help: \(problem.advisedRecovery)")
    }
  }

  static func document(_ problems: [ManifestProblem]) -> JSONValue {
    .array(
      problems.map { problem in
        var object = JSONObject()
        object["severity"] = .string(problem.severity.rawValue)
        object["file"] = problem.file.map { .string($0) } ?? .null
        if let line = problem.line { object["line"] = .integer(Int64(line)) }
        if !problem.keyPath.isEmpty { object["keyPath"] = .string(problem.keyPath) }
        object["message"] = .string(problem.message)
        object["recovery"] = .string(problem.advisedRecovery)
        if let setting = problem.setting { object["setting"] = .string(setting) }
        return .object(object)
      })
  }
}
