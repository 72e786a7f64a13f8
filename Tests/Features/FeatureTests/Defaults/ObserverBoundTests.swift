import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import Testing

private let group = "group.com.example.test"

@Suite(.timeLimit(.minutes(1)))
struct `The prefixes that a process observes` {
  private let host = TestHost(services: [DefaultsService(store: .inMemory())])

  /// The code with which an observation is refused.
  private static func refused(_ prefix: String, _ context: ExtensionContext) async -> ExtensionError.Code? {
    do {
      _ = try await context.call(Defaults.Observe(suite: group, prefix: prefix))
      return nil
    } catch { return ExtensionError(wrapping: error).code }
  }

  @Test func `are 64, and those that a shorter one covers are none`() async throws {
    try await host.inWidget { context in
      for number in 10..<74 {
        let code = await Self.refused("\(number).", context)
        #expect(code == nil, "\(number)")
      }
      for prefix in ["74.", "1", ""] {
        let code = await Self.refused(prefix, context)
        #expect(code == .limitExceeded, "\(prefix)")
      }
      // What is observed already, or begins so, is no other prefix.
      for prefix in ["10.", "73.x", "10.x"] {
        let code = await Self.refused(prefix, context)
        #expect(code == nil, "\(prefix)")
      }
    }
    // The next process begins anew.
    let code = try await host.inWidget { context in await Self.refused("74.", context) }
    #expect(code == nil)
  }

  @Test func `are all keys with one that is empty`() async throws {
    try await host.inWidget { context in
      for prefix in [""] + (0..<70).map({ "\($0)" }) {
        let code = await Self.refused(prefix, context)
        #expect(code == nil, "\(prefix)")
      }
    }
  }

  @Test func `are as long as a key at most`() async throws {
    try await host.inWidget { context in
      let most = String(repeating: "é", count: SuiteStore.keyLimit / 2)
      let (taken, refused) = (await Self.refused(most, context), await Self.refused(most + "a", context))
      #expect(taken == nil && refused == .invalidParams)
    }
  }
}
