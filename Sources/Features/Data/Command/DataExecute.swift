import CommandLineTool
import CommandRuntime
import ExtensionProtocol
import JSON

/// `host data execute`: operations of a file, carried out by the emulator.
struct DataExecute {
  static let command = Command(
    "execute", summary: "Execute an operation from a file on the emulator",
    discussion: """
      The operation may do everything, unless --as names a user: an object of claims, the id of a user, or “nobody”. \
      Then its @auth applies. Prints the data; errors go to standard error, and the exit status is 1.
      """,
    example: "host data execute seed.gql CreateMovie -v '{\"title\": \"Arrival\"}' --as alice",
    options: [
      .value("variables", short: "v", "JSON", "The variables as an object, or @FILE, or @- for standard input"),
      .value("as", "CLAIMS", "The user who executes it: {\"sub\": \"alice\"}, @FILE, alice, or nobody"),
    ] + EmulatorClient.options,
    arguments: [
      CommandArgument("FILE", "A file of operations, - for standard input", values: .file),
      CommandArgument("OPERATION", "The operation, where the file has several", .optional),
    ])

  private static let limit = 4 << 20
  private let invocation: Invocation

  init(_ invocation: Invocation) { self.invocation = invocation }

  func run() async throws -> ExitStatus {
    let parsed = invocation.parsed
    let file = try InputFile.read(parsed.argument("FILE") ?? "", limit: Self.limit)
    guard let text = String(validating: file, as: UTF8.self) else {
      throw InputError(message: "\(parsed.argument("FILE") ?? "") is not text in UTF-8.")
    }
    let variables = try parsed.value("variables").map { try Self.json($0, "variables") }
    let caller = try parsed.value("as").map(Self.caller)
    let answer = try await EmulatorClient(invocation).execute(
      text, operation: parsed.argument("OPERATION"), variables: variables, as: caller)
    let errors = answer.emulatorErrors
    if invocation.wantsJSON {
      invocation.printJSON(answer)
    } else {
      invocation.printJSON(answer["data"] ?? .null)
      for error in errors { invocation.console.fail("\(error)") }
    }
    return errors.isEmpty ? .success : .failure
  }

  /// Whom an operation is executed for, as the emulator takes it.
  static func caller(_ text: String) throws -> JSONValue {
    if text == "nobody" { return ["unauthenticated": true] }
    if text.hasPrefix("{") || text.hasPrefix("@") { return ["authClaims": try json(text, "as")] }
    return ["authClaims": ["sub": .string(text)]]
  }

  /// An object of the command line, or of a file that it names.
  private static func json(_ text: String, _ option: String) throws -> JSONValue {
    let bytes =
      text.hasPrefix("@") ? try InputFile.read(String(text.dropFirst()), limit: limit) : Array(text.utf8)
    let value: JSONValue
    do { value = try JSONCoding.parse(bytes, maximumDepth: 64) } catch {
      throw CommandLineError("--\(option) is not JSON: \(error)", help: "Write it as '{\"name\": \"value\"}'.")
    }
    guard case .object = value else {
      throw CommandLineError("--\(option) is not a JSON object.", help: "Write it as '{\"name\": \"value\"}'.")
    }
    return value
  }
}
