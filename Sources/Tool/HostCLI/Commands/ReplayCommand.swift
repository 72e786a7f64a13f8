import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import Files
import JSON

/// `host replay`: plays the host's side of a recording to an extension, and shows what has changed.
enum ReplayCommand: HostSubcommand {
  static let section = CommandSection.develop

  static let command = Command(
    "replay", summary: "Play a recording to an extension and compare what it says",
    example: "host replay clock.ndjson --with com.example.adventures.clock",
    options: [
      .value("with", "ID|EXECUTABLE", "The extension, or another build of the recorded one", values: .identifier)
    ],
    arguments: [CommandArgument("FILE", "A recording of “host trace”", .required, values: .file)])

  private static let limit = 256 << 20

  static func run(_ invocation: Invocation) async throws -> ExitStatus {
    guard let path = invocation.parsed.arguments("FILE").first else {
      throw CommandLineError("There is no recording to play.", help: "Make one with \"host trace ID -o FILE\".")
    }
    let text = String(decoding: try InputFile.read(path, limit: limit), as: UTF8.self)
    let with = invocation.parsed.value("with")
    let executable = with.flatMap { $0.contains("/") ? $0 : nil }
    let recording = try recording(text, of: executable == nil ? with : nil)
    let stack = try HostStack(invocation)
    var target = try stack.registry.launchTarget(
      executable == nil ? with ?? recording.identifier : recording.identifier)
    if let executable {
      target.executable = try absolute(executable)
      target.bundle = nil
    }
    let differences = try await stack.host.replay(recording, with: target)
    report(differences, of: target.identity.id, frames: recording.frames.count, to: invocation)
    return differences.isEmpty ? .success : .failure
  }

  private static func recording(_ text: String, of identifier: String?) throws(ExtensionError) -> Recording {
    do {
      return try Recording(parsing: text, for: identifier)
    } catch {
      var error = error
      error.recovery = "Make one with \"host trace ID -o FILE\"."
      throw error
    }
  }

  private static func absolute(_ path: String) throws(ExtensionError) -> String {
    guard let resolved = File.resolved(path) else {
      throw ExtensionError(
        .extensionInvalid, "There is no executable \(path).", recovery: "Check the path given with --with.")
    }
    return resolved
  }

  private static func report(
    _ differences: [ReplayDifference], of id: String, frames: Int, to invocation: Invocation
  ) {
    if invocation.wantsJSON {
      return invocation.printJSON([
        "id": .string(id), "frames": .integer(Int64(frames)), "same": .bool(differences.isEmpty),
        "differences": .array(differences.map(document)),
      ])
    }
    if differences.isEmpty { return invocation.console.print("\(id): as recorded (\(frames) frames).") }
    for difference in differences {
      let place = difference.path.isEmpty ? "" : ", at \(difference.path)"
      invocation.console.print("\(difference.kind.rawValue): \(difference.message)\(place)")
      if let recorded = difference.recorded { show("-", recorded, invocation) }
      if let replayed = difference.replayed { show("+", replayed, invocation) }
    }
    invocation.console.note("\(id): \(differences.count) difference(s).")
  }

  private static func show(_ sign: String, _ value: JSONValue, _ invocation: Invocation) {
    invocation.console.print("  \(sign) \(ShownText(whole: value.description))")
  }

  private static func document(_ difference: ReplayDifference) -> JSONValue {
    var object: JSONObject = [
      "kind": .string(difference.kind.rawValue), "message": .string(difference.message),
      "path": .string(difference.path),
    ]
    object["recorded"] = difference.recorded
    object["replayed"] = difference.replayed
    return .object(object)
  }
}
