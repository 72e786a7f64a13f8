import Testing

/// A `host today` that waits for ten widgets, none of which ever answers.
struct TenWidgets {
  let tool: HostTool
  private let host: Program

  /// The line of each process's command that names this test.
  var marker: String { "\(tool.folder.path)/Plugins" }

  /// - Parameter environment: Variables in place of those of the tool.
  init(_ tool: HostTool, environment: [String: String] = [:]) throws {
    self.tool = tool
    let ids = try (0..<10).map {
      try Script.install(
        "waiting\($0)", in: tool.folder, "print(\"waiting\($0) waits\", file=sys.stderr, flush=True)\ntime.sleep(300)")
    }
    host = try Program(
      "\(Build.products)/host",
      ["today", "--verbose", "--manifests", Build.fixtures, "--manifests", "\(tool.folder.path)/manifests"] + ids,
      environment: tool.environment.merging(environment) { $1 })
  }

  /// Waits until each has its request.
  func areAtWork() async throws {
    for number in 0..<10 { _ = try await host.hear("waiting\(number) waits") }
  }

  /// Kills the host, reaps it, and waits until none of its processes is left.
  func kill() async {
    let processes = Processes.running(marker)
    host.signal(9)
    for process in processes { await Processes.end(of: process, within: .seconds(20)) }
    // A host that nobody has reaped would still have its number.
    _ = try? await host.finish()
  }
}
