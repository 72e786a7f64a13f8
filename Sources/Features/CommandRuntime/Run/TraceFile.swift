package import CommandLineTool
package import ExtensionHosting

/// The recording that a user asks for, and where it goes. Nothing is written when nothing was recorded.
package struct TraceFile: Sendable {
  /// Records what is said.
  package let recorder = FrameRecorder()
  /// `nil`: standard output.
  package let path: String?

  /// A recording that goes to a file, or to standard output for `nil`.
  package init(path: String?) { self.path = path }

  /// Writes the recording, whether or not the recorded run failed.
  ///
  /// - Throws: the failure of the recorded run, in which case a file that cannot be written is only a warning;
  ///   `OutputError`.
  package func write<Value>(after outcome: Result<Value, any Error>, for invocation: Invocation) throws -> Value {
    do throws(OutputError) {
      try write(for: invocation)
    } catch {
      if case .success = outcome { throw error }
      invocation.console.warn("The recording was not written: \(error.message)")
    }
    return try outcome.get()
  }

  private func write(for invocation: Invocation) throws(OutputError) {
    let (text, frames, dropped) = recorder.recording
    if frames == 0 { return }
    // The text is escaped, for readers that print the file unchanged to a terminal.
    let shown = ShownText(json: text)
    let lost: ShownText = dropped > 0 ? " \(dropped) more were left out." : ""
    guard let path else {
      invocation.console.write(json: shown)
      invocation.console.note("Recorded \(frames) frames.\(lost)")
      return
    }
    try OutputFile.write(Array(shown.description.utf8), to: path)
    invocation.console.note("Recorded \(frames) frames in \(path).\(lost)")
  }
}

extension CommandOption {
  /// `--trace FILE`
  package static let trace = value(
    "trace", "FILE", "Record every message of the extensions, without secrets", values: .file)
}
