import AppExtensions
import ExtensionTesting
import Testing

@testable import __NAME__

@Suite struct `The widget` {
  @Test func `counts its visits`() async throws {
    let store = SuiteStore.inMemory(["group.__APP_ID__": ["visits": 41]])
    let host = TestHost(services: [DefaultsService(store: store)])
    let identity = Caller.Identity.testing(groups: ["group.__APP_ID__"])
    let result = try await host.withExtension(__NAME__.self, identity: identity) { try await $0.performUpdate() }
    #expect(result == .newData(WidgetView(title: "__APP__", text: "Visit 42")))
  }
}
