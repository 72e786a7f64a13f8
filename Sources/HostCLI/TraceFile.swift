import CommandLineTool
import ExtensionHosting

/// The recording that a user asks for, and where it goes.
struct TraceFile: Sendable {
  let recorder = FrameRecorder()
  /// `nil`: standard output.
  let path: String?

  /// What `--trace` names; `nil` without it.
  static func named(in invocation: Invocation) -> TraceFile? {
    invocation.parsed.value("trace").map { TraceFile(path: $0) }
  }

  /// Writes down what has been recorded, whatever came of it.
  ///
  /// - Throws: `OutputError` when the file cannot be written.
  func write(for invocation: Invocation) throws(OutputError) {
    let (text, frames, dropped) = recorder.recording
    let lost = dropped > 0 ? " \(dropped) more found no room." : ""
    guard let path else {
      invocation.console.write(text)
      invocation.console.note("Recorded \(frames) frames.\(lost)")
      return
    }
    try OutputFile.write(Array(text.utf8), to: path)
    invocation.console.note("Recorded \(frames) frames in \(path.escapedForTerminal).\(lost)")
  }
}

extension CommandOption {
  /// `--trace FILE`
  static let trace = value("trace", "FILE", "Record every message of the extensions, without secrets", values: .file)
}

extension HostStack {
  /// Runs the body with a stack whose frames go to the file that `--trace` names, if it is there.
  static func recording<Result>(
    _ invocation: Invocation, refreshing: Bool = false, to file: TraceFile? = nil,
    _ body: (HostStack) async throws -> Result
  ) async throws -> Result {
    let file = file ?? TraceFile.named(in: invocation)
    let stack = try HostStack(invocation, refreshing: refreshing, recorder: file?.recorder)
    let result: Result
    do {
      result = try await body(stack)
    } catch {
      if let file, file.recorder.recording.frames > 0 { try file.write(for: invocation) }
      throw error
    }
    try file?.write(for: invocation)
    return result
  }
}
