import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import GraphQL
import JSON

/// `host data seed`: the mutations of a file, one after another, by the emulator.
struct DataSeed {
  static let command = Command(
    "seed", summary: "Fill the emulator with the mutations of a file",
    discussion: """
      Executes every mutation of the file in its order, as an administrator, and stops at the first that fails. \
      Queries are left out, and mutations with variables that need a value: “host data execute” takes those.
      """,
    example: "host data seed seed.gql", options: EmulatorClient.options,
    arguments: [CommandArgument("FILE", "A file of mutations, - for standard input", values: .file)])

  private static let limit = 4 << 20
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws -> ExitStatus {
    let name = invocation.parsed.argument("FILE") ?? ""
    let bytes = try InputFile.read(name, limit: Self.limit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Self.refusal("\(name) is not text in UTF-8.")
    }
    let parsed = GraphQLParser.read([GraphQLSource(text, name: name)])
    if let error = parsed.errors.first {
      let place = error.locations.first.map { "\($0): " } ?? ""
      throw Self.refusal("\(place)\(error.message)")
    }
    let mutations = parsed.document.operations.filter { $0.kind == .mutation && $0.variablesInNeed.isEmpty }
    guard !mutations.isEmpty else { throw Self.refusal("\(name) has no mutation that needs no variables.") }
    let client = try await EmulatorClient(invocation)
    for operation in parsed.document.operations where operation.kind == .mutation {
      let missing = operation.variablesInNeed
      guard !missing.isEmpty else { continue }
      let label = operation.name?.text ?? "mutation"
      invocation.console.note("\(label): left out, as it needs \(missing.joined(separator: ", ")).")
    }
    var results: [JSONValue] = []
    for mutation in mutations {
      let answer = try await client.execute(text, operation: mutation.name?.text)
      let errors = answer.emulatorErrors
      let label = mutation.name?.text ?? "mutation"
      results.append(["operation": .string(label), "data": answer["data"] ?? .null])
      guard errors.isEmpty else {
        for error in errors { invocation.console.fail("\(label): \(error)") }
        return .failure
      }
      if !invocation.wantsJSON { invocation.console.print("\(label): done") }
    }
    if invocation.wantsJSON { invocation.printJSON(.array(results)) }
    return .success
  }

  private static func refusal(_ message: String) -> Failure {
    Failure(
      ExtensionError(
        .invalidParams, message, recovery: "Write mutations without variables into the file, in GraphQL."),
      status: .dataError)
  }
}

extension OperationNode {
  /// The variables, with `$`, without which the operation cannot be executed.
  fileprivate var variablesInNeed: [String] {
    variables.compactMap {
      guard $0.defaultValue == nil, case .nonNull = $0.type else { return nil }
      return "$\($0.name.text)"
    }
  }
}
