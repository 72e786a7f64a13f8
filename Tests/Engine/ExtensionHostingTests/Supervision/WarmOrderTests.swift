import ExtensionProtocol
import Testing

@testable import ExtensionHosting

@Suite(.timeLimit(.minutes(1)))
struct `An order to start ahead` {
  private static let failure = ExtensionError(.launchFailed, "No.")

  private func order() -> WarmOrder {
    let identity = Caller.Identity(
      id: "com.example.notes.clock", version: nil, displayName: "Clock", point: .clock,
      containingApp: "com.example.notes", groups: [], entitlements: [])
    return WarmOrder(target: LaunchTarget(identity: identity, executable: "/none"), replaces: nil)
  }

  @Test(arguments: [nil, failure]) func `has one outcome, for all who wait and all who come later`(
    outcome: ExtensionError?
  ) async {
    let order = order()
    @Sendable func value() async -> ExtensionError? {
      do throws(ExtensionError) { try await order.value() } catch { return error }
      return nil
    }
    let waiting = (0..<3).map { _ in Task { await value() } }
    await Task.yield()
    order.finish(throwing: outcome)
    order.finish(throwing: outcome == nil ? Self.failure : nil)
    for waiter in waiting { #expect(await waiter.value == outcome) }
    for _ in 0..<2 { #expect(await value() == outcome) }
  }
}
