import CommandLineTool
import CommandRuntime
import DataConnectCompiler
import ExtensionProtocol
import GraphQL
import JSON
import Text

/// The services of a command line, compiled.
struct CompiledServices: Sendable {
  struct Service: Sendable {
    let folder: String
    /// The source files; `nil` when `dataconnect.yaml` cannot be read.
    let source: DataConnectProject?
    /// `nil` when there is an error.
    let project: CompiledProject?
    let problems: [CompilerProblem]
  }

  let services: [Service]

  /// Compiles the services that the command line selects.
  init(_ invocation: Invocation) throws(Failure) {
    try self.init(invocation.parsed.value("dir") ?? ".", service: invocation.parsed.value("service"))
  }

  /// - Parameters:
  ///   - folder: of a service, or above services.
  ///   - id: the only service that counts.
  /// - Throws: `Failure` when there is no service, or none with the name.
  init(_ folder: String, service id: String?) throws(Failure) {
    let all = try ServiceFolders.find(folder).map { folder in
      let read = DataConnectProject.read(folder)
      guard let source = read.project, id == nil || source.configuration.serviceID == id else {
        return Service(folder: folder, source: read.project, project: nil, problems: read.problems)
      }
      let result = CompiledProject.compile(source, read.problems)
      return Service(folder: folder, source: source, project: result.project, problems: result.problems)
    }
    guard let id else {
      services = all
      return
    }
    let names = all.compactMap { $0.source?.configuration.serviceID }
    services = all.filter { $0.source.map { $0.configuration.serviceID == id } ?? !names.contains(id) }
    guard services.isEmpty else { return }
    throw Failure(
      ExtensionError(
        .invalidParams, "There is no service “\(id)” in “\(folder)”.",
        recovery: didYouMean(nearMisses(of: id, in: names)) ?? "There are \(names.joined(separator: ", "))."),
      status: .noInput)
  }

  var projects: [CompiledProject] { services.compactMap(\.project) }
  var problems: [CompilerProblem] { services.flatMap(\.problems) }
  var hasErrors: Bool { problems.contains { $0.severity == .error } }
}

extension [CompilerProblem] {
  /// Prints each problem as `file:line:column: error: sentence`, with the advice on a line of its own.
  func tell(_ console: Console) {
    for problem in self {
      let place = problem.location.map { "\($0): " } ?? ""
      let line = "\(ShownText(place))\(problem.severity.rawValue): \(problem.message)" as ShownText
      guard problem.severity == .error || console.verbosity != .quiet else { continue }
      console.tell(line)
      if let fix = problem.fix { console.tell("  help: \(fix)") }
    }
  }

  var document: JSONValue {
    .array(
      map { problem in
        var object = JSONObject()
        object["severity"] = .string(problem.severity.rawValue)
        if let location = problem.location {
          object["file"] = .string(location.file)
          object["line"] = .integer(Int64(location.line))
          object["column"] = .integer(Int64(location.column))
        }
        object["message"] = .string(problem.message)
        if let fix = problem.fix { object["recovery"] = .string(fix) }
        object["code"] = .string(problem.code)
        return .object(object)
      })
  }
}
