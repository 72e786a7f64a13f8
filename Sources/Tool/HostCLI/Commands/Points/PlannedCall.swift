import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import Files
import HostServices
import JSON
import JSONRPC
import JSONSchema
import Text

/// A call as the command line asks for it, checked before anything is started.
struct PlannedCall {
  /// What came of a call.
  struct Outcome {
    var result: JSONValue
    /// The file that something was written to.
    var file: String?
    /// Whether what the user asked for has been written already.
    var isWritten = false
  }

  private static let limit = 64 << 20

  /// The wire name.
  let method: String
  private let schema: MethodSchema
  private let schemas: MethodSchemas
  private let params: JSONObject
  private let deadline: Duration?
  /// Files to pass, by the members that name them.
  private let files: [(member: String, path: String, bytes: [UInt8])]
  /// Files to send as streams.
  private let streams: [(member: String, bytes: [UInt8])]
  /// The members that name folders for the extension to fill.
  private let folders: [String]

  /// - Throws: a usage error for a method that the point has not; `invalidParams` for params that do not fit it.
  init(_ invocation: Invocation, of entry: RegistryEntry, in registry: ExtensionRegistry) throws {
    let point = entry.point ?? .containingApp
    // No file announces a point that the tool was built with.
    let known = KnownPoint(
      definition: registry.points.definition(of: point),
      announced: Features.points.contains(point) ? nil : try invocation.announcedPoints()[point], extensions: [])
    (schema, schemas) = try Self.method(invocation.parsed.argument("METHOD") ?? "", of: known)
    method = schema.method
    deadline = try invocation.parsed.integer("deadline", in: 1...3600).map { .seconds($0) }
    if invocation.wantsJSON, schema.returnsData, invocation.parsed.value("output") == nil {
      throw CommandLineError("\(method) returns data beside its result.", help: "Name a file for it with -o.")
    }
    var files: [(member: String, path: String, bytes: [UInt8])] = []
    for (member, path) in try Self.pairs("file", invocation) {
      files.append((member, path, try InputFile.read(path, limit: Self.limit)))
    }
    self.files = files
    streams = try Self.pairs("stream", invocation).map { ($0.name, try InputFile.read($0.path, limit: Self.limit)) }
    folders = invocation.parsed.values("folder")
    params = try Self.params(invocation)
    try checkParams()
  }

  private static func method(_ name: String, of point: KnownPoint) throws -> (MethodSchema, MethodSchemas) {
    let schemas = try point.schemas()
    let full = name.contains("/") ? name : "\(point.definition.prefix)/\(name)"
    for schemas in schemas {
      if let method = schemas[full], method.caller != .extension { return (method, schemas) }
    }
    let names = schemas.flatMap(\.methods).filter { $0.caller != .extension }.map(\.method)
    let isForeign = schemas.contains { $0[full] != nil }
    let all = names.isEmpty ? "There are none." : "They are: \(names.joined(separator: ", "))."
    throw CommandLineError(
      isForeign
        ? "\(full) is a method that extensions call, not hosts."
        : "“\(name.escapedForTerminal)” is not a method of extensions for \(point.definition.shortName).",
      help: didYouMean(nearMisses(of: full, in: names)) ?? all)
  }

  private static func pairs(_ option: String, _ invocation: Invocation) throws -> [(name: String, path: String)] {
    try invocation.parsed.values(option).map { text in
      guard let pair = text.cut(at: "="), !pair.before.isEmpty else {
        throw CommandLineError(
          "--\(option) does not take “\(text.escapedForTerminal)”.", help: "Give --\(option) NAME=FILE.")
      }
      return (String(pair.before), String(pair.behind))
    }
  }

  private static func params(_ invocation: Invocation) throws -> JSONObject {
    let text = invocation.parsed.argument("PARAMS") ?? "{}"
    let bytes: [UInt8]
    if text == "-" {
      bytes = try InputFile.read("-", limit: 4 << 20)
    } else if text.hasPrefix("@") {
      bytes = try InputFile.read(String(text.dropFirst()), limit: 4 << 20)
    } else {
      bytes = Array(text.utf8)
    }
    do throws(JSONError) {
      if let object = try JSONCoding.parse(bytes).objectValue { return object }
    } catch {
      throw ExtensionError(
        .parseError, "The params are not JSON: \(error)",
        recovery: "Write a JSON object, @FILE, or - for standard input.")
    }
    throw ExtensionError(.invalidParams, "The params are not a JSON object.", recovery: "Write {\"name\": value, …}.")
  }

  private func checkParams() throws(ExtensionError) {
    var filled = JSONValue.object(params)
    // Files, folders and streams have their names when they are passed on.
    for name in files.map(\.member) + streams.map(\.member) + folders { filled.setMember(at: name, to: "1") }
    let problems = schemas.problems(ofParams: filled, of: method)
    guard let first = problems.first else { return }
    throw ExtensionError(
      .invalidParams, "The params do not fit \(method). \(first)",
      recovery: "“host points show” lists the params of each method, and with --json their schemas.",
      details: Self.details(problems), cause: problems.dropFirst().map(\.description))
  }

  private static func details(_ problems: [SchemaCheck.Problem]) -> [String: JSONValue] {
    [
      "problems": .array(
        problems.map { ["path": .string($0.path.description), "message": .string($0.message)] })
    ]
  }

  // MARK: The call

  /// Calls the method, and takes what its result names.
  ///
  /// - Returns: `nil` for a notification.
  func run(on process: ExtensionProcess, _ invocation: Invocation) async throws -> Outcome? {
    var params = JSONValue.object(params)
    for file in files {
      params.setMember(
        at: file.member, to: .string(try process.grant(file.bytes, name: Folder.name(of: file.path))))
    }
    for (index, folder) in folders.enumerated() {
      params.setMember(at: folder, to: .string(try process.grantDirectory("folder-\(index + 1)")))
    }
    var sending: [(stream: OutgoingStream, bytes: [UInt8])] = []
    for stream in streams {
      let opened = try process.openStream()
      params.setMember(at: stream.member, to: .string(opened.id))
      sending.append((opened, stream.bytes))
    }
    if schema.isNotification {
      await process.notify(method, params: params)
      // The answer to a request shows that what came before it has arrived.
      _ = try? await process.call(Ping(), deadline: .seconds(2))
      return nil
    }
    let progress = ShownProgress("\(method)", invocation)
    defer { progress.finish() }
    let (final, streamed) = (params, sending)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      for (stream, bytes) in streamed {
        // An extension may leave a stream alone: its answer counts.
        group.addTask {
          do throws(ErrorObject) {
            try await stream.send(bytes)
            stream.finish()
          } catch {}
        }
      }
      defer { group.cancelAll() }
      let result = try await process.call(
        method, params: final, rule: schema.deadline.with(deadline), onProgress: { progress.show($0) })
      try check(result, of: process)
      return try await take(result, from: process, invocation)
    }
  }

  private func check(_ result: JSONValue, of process: ExtensionProcess) throws(ExtensionError) {
    let problems = schemas.problems(ofResult: result, of: method)
    guard let first = problems.first else { return }
    throw ExtensionError(
      .protocolViolation, "The answer is not a result of \(method). \(first)",
      recovery: "Correct the extension: “host points show POINT --json” prints the schema of the result.",
      details: Self.details(problems).merging(["answer": result]) { own, _ in own },
      cause: problems.dropFirst().map(\.description))
  }

  // MARK: What the result names

  private func take(
    _ result: JSONValue, from process: ExtensionProcess, _ invocation: Invocation
  ) async throws -> Outcome {
    var outcome = Outcome(result: result)
    for transfer in schema.transfers {
      switch transfer {
      case .fileOut(let member):
        guard let path = result.member(at: member)?.stringValue else { continue }
        let sink = CallOutput(invocation)
        try sink.write(try process.take(path, limit: Self.limit))
        outcome.file = try sink.finish()
        outcome.isWritten = true
      case .streamOut(let member):
        guard let id = result.member(at: member)?.stringValue else { continue }
        let sink = CallOutput(invocation)
        for try await chunk in try process.stream(id) { try sink.write(chunk.line) }
        outcome.file = try sink.finish()
        outcome.isWritten = true
      case .fileIn, .folderIn, .streamIn, .itemsIn, .itemsOut: continue
      }
    }
    return outcome
  }
}

extension MethodSchema {
  /// Whether the result names data that is to be fetched.
  fileprivate var returnsData: Bool {
    transfers.contains { transfer in
      switch transfer {
      case .fileOut, .streamOut: true
      default: false
      }
    }
  }
}

extension StreamChunk {
  /// The bytes; a value as one line of JSON.
  fileprivate var line: [UInt8] {
    switch self {
    case .bytes(let bytes): bytes
    case .value(let value): Array("\(value)\n".utf8)
    }
  }
}
