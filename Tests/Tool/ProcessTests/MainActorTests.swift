import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The main actor of an extension` {
  @Test func `is served by its main thread, from its first line on`() async throws {
    let output = try await HostTool()("today", "com.example.fixtures.onmain", "--manifests", Build.fixtures)
    #expect(output.status == 0, "\(output)")
    #expect(output.stdout == "OnMain\n  0, then 6 lines on the main thread\n", "\(output)")
  }
}
