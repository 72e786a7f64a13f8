import AppExtensions
import ExtensionHosting
import ExtensionTesting
import HostServices
import NetworkServices
import Synchronization
import Testing

/// What is fetched for a session: a text field, or a photo. No server answers at the address.
@Suite(.timeLimit(.minutes(1)))
struct `A fetch and the session that it is for` {
  private static let hosts = AskedPermission("network", scope: ["127.0.0.1:*"])

  private static func outcome(of context: ExtensionContext) async -> String {
    do throws(ExtensionError) {
      return "\(try await context.fetch("http://127.0.0.1:1/").status)"
    } catch {
      return error.code.name
    }
  }

  @Test func `end together when a keyboard's text field is over`() async throws {
    let notes = KeyboardProbe.Notes()
    let outcomes = Mutex<[String]>([])
    let handle: KeyboardProbe.Handle = { _, _, _ in
      for session in notes.begun {
        let outcome = await Self.outcome(of: session.context)
        outcomes.withLock { $0.append(outcome) }
      }
      return []
    }
    let identity = Caller.Identity.testing(
      point: .keyboard, permissions: [Self.hosts, AskedPermission("open-access")])
    let service = KeyboardService()
    let host = TestHost(services: [service, NetworkService()], consent: .grant)
    try await KeyboardProbe.$notes.withValue(notes) {
      try await KeyboardProbe.$handling.withValue(handle) {
        try await host.withExtension(KeyboardProbe.self, identity: identity) { process in
          for _ in 0..<2 {
            try await service.withSession(of: process, for: KeyboardField()) { _ = try await $0.press("a") }
          }
        }
      }
    }
    #expect(outcomes.withLock { $0 } == ["networkFailed", "requestUnknown", "networkFailed"])
  }

  @Test func `end together when a photo is edited`() async throws {
    let (outcomes, ended) = AsyncStream.makeStream(of: String.self)
    var script = PhotoProbe.Script()
    script.start = { ended.yield(await Self.outcome(of: $0.context)) }
    script.ended = { session in
      Task {
        ended.yield(await Self.outcome(of: session.context))
        ended.finish()
      }
    }
    let host = TestHost(services: [NetworkService()], consent: .grant)
    let identity = Caller.Identity.testing(point: .photoEditing, permissions: [Self.hosts])
    let names = try await PhotoProbe.$script.withValue(script) {
      try await host.withExtension(PhotoProbe.self, identity: identity) { process in
        let editor = PhotoEditor(process)
        _ = try await editor.start(EditablePhoto(current: SmallImages.jpeg()))
        _ = try await editor.finish()
        await editor.consumed(saved: true)
        return await outcomes.reduce(into: []) { $0.append($1) }
      }
    }
    #expect(names == ["networkFailed", "requestUnknown"])
  }
}
