package import CommandLineTool

extension Invocation {
  /// Whether `--json` prints one object a line, so that an error is one too.
  var streamsJSON: Bool { parsed.flag("watch") || parsed.flag("stream") || parsed.path.last == "watch" }

  /// Runs what goes on until it is interrupted. All such commands end alike: with the status of the signal, and without a
  /// word on either stream.
  package func watching(_ body: () async throws -> Void) async throws -> ExitStatus {
    do { try await body() } catch { if !Task.isCancelled { throw error } }
    return Task.isCancelled ? .failure : .success
  }
}
