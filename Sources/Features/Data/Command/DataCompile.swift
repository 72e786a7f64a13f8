import CommandLineTool
import CommandRuntime
import DataConnectCompiler
import DataConnectGenerator
import ExtensionProtocol
import Files
import GraphQL
import JSON

/// `host data compile`.
struct DataCompile {
  private let invocation: Invocation
  private var parsed: ParsedCommand { invocation.parsed }

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() throws -> ExitStatus {
    let compiled = try CompiledServices(invocation)
    let changes = try parsed.value("against").map { try self.changes(compiled, since: $0) } ?? []
    let written = parsed.value("emit") == nil ? [] : try compiled.projects.flatMap(emit)
    if invocation.wantsJSON {
      var document: JSONObject = [
        "services": .array(compiled.projects.map(\.document)), "problems": compiled.problems.document,
      ]
      if parsed.value("emit") != nil { document["written"] = .array(written.map { .string($0) }) }
      if parsed.value("against") != nil { document["changes"] = .array(changes.map(\.document)) }
      invocation.printJSON(.object(document))
    } else {
      compiled.problems.tell(invocation.console)
      for path in written { invocation.console.detail("+ \(path)") }
      for change in changes {
        let place = change.location.map { "\($0): " } ?? ""
        invocation.console.tell("\(place)breaks clients: \(change.message)")
        invocation.console.tell("  help: \(change.fix)")
      }
      for project in compiled.projects { invocation.console.print(project.summary) }
    }
    if compiled.hasErrors { return .dataError }
    return changes.isEmpty ? .success : .failure
  }

  // MARK: What clients see

  private func changes(_ compiled: CompiledServices, since folder: String) throws -> [BreakingChange] {
    let before = try CompiledServices(folder, service: parsed.value("service"))
    if before.hasErrors {
      before.problems.tell(invocation.console)
      throw Failure(
        ExtensionError(
          .invalidParams, "The services in “\(folder)” do not compile, so nothing can be compared.",
          recovery: "Give --against the services as they were shipped."), status: .dataError)
    }
    return before.projects.flatMap { old -> [BreakingChange] in
      let id = old.project.configuration.serviceID
      guard let new = compiled.projects.first(where: { $0.project.configuration.serviceID == id }) else {
        // One with errors has said so.
        let isThere = compiled.services.contains { $0.source?.configuration.serviceID == id }
        return isThere ? [] : [.gone("The service", id)]
      }
      return old.connectors.flatMap { connector -> [BreakingChange] in
        let name = connector.configuration.connectorID
        guard let now = new.connectors.first(where: { $0.configuration.connectorID == name }) else {
          return [.gone("The connector", name)]
        }
        return BreakingChange.between(connector.connector, and: now.connector)
      }
    }
  }

  // MARK: Expansion

  /// - Returns: the files that were written.
  private func emit(_ project: CompiledProject) throws -> [String] {
    let folder = "\(project.project.folder)/.dataconnect/schema"
    do throws(FileError) {
      let files = project.schema.expansionFiles
      var written: [String] = []
      for file in files where try GeneratedPackage.put(file.text, at: file.path, in: folder) {
        written.append("\(folder)/\(file.path)")
      }
      // What an earlier schema had of these.
      for name in ["implicit", "relation", "input", "query", "mutation"].map({ "main/\($0).gql" })
      where !files.contains(where: { $0.path == name }) { File.remove("\(folder)/\(name)") }
      return written
    } catch {
      throw Failure(
        ExtensionError(.storeFailed, error.message, recovery: error.recovery ?? "Check who may write there."),
        status: .cannotCreate)
    }
  }
}

extension CompiledProject {
  private var operations: Int { connectors.reduce(0) { $0 + $1.connector.operations.count } }

  var summary: ShownText {
    let (tables, count) = (schema.tables.count, operations)
    return """
      \(project.configuration.serviceID): \(tables) \(tables == 1 ? "table" : "tables"), \
      \(connectors.count) \(connectors.count == 1 ? "connector" : "connectors"), \
      \(count) \(count == 1 ? "operation" : "operations")
      """
  }

  var document: JSONValue {
    [
      "service": .string(project.configuration.serviceID), "location": .string(project.configuration.location),
      "folder": .string(project.folder), "tables": .array(schema.tables.map { .string($0.name) }),
      "connectors": .array(
        connectors.map { connector in
          [
            "connector": .string(connector.configuration.connectorID),
            "operations": .array(
              connector.connector.operations.map {
                ["name": .string($0.name), "kind": .string($0.kind.rawValue)]
              }),
          ]
        }),
    ]
  }
}

extension BreakingChange {
  var document: JSONValue {
    var object: JSONObject = ["message": .string(message), "recovery": .string(fix)]
    if let operation { object["operation"] = .string(operation) }
    if let location {
      object["file"] = .string(location.file)
      object["line"] = .integer(Int64(location.line))
      object["column"] = .integer(Int64(location.column))
    }
    return .object(object)
  }

  static func gone(_ what: String, _ name: String) -> BreakingChange {
    BreakingChange(
      operation: nil, message: "\(what) “\(name)” is gone.", fix: "Keep it as long as there are clients that call it.",
      location: nil)
  }
}
