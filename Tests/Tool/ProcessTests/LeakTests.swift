import ExtensionHosting
import ExtensionProtocol
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A host` {
  /// In a process of its own: other tests open and close descriptors too.
  @Test func `leaks neither descriptors nor processes`() async {
    await #expect(processExitsWith: .success) {
      let stage = try Stage { $0.termination = .milliseconds(500) }
      func round() async throws {
        _ = try await stage.update("com.example.fixtures.lengthy")
        #expect(try await stage.failure(of: "com.example.fixtures.crasher").code == .peerExited)
        try await stage.host.reset("com.example.fixtures.crasher")
      }
      try await round()
      // A loop of the host's own begins with the first process that lives for a second.
      let before = Processes.descriptorsBesideLoops
      for _ in 0..<10 { try await round() }
      // The launcher that waits for the next launch has two, or five while it is started: a leak would be ten at least.
      #expect(Processes.descriptorsBesideLoops <= before + 5)
      #expect(Processes.zombies.isEmpty)
      #expect(stage.scratchFolders.isEmpty)
    }
  }
}
