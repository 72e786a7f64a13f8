import AppExtensions
import ExtensionTesting
import Testing

@testable import __NAME__

@Suite struct `The share extension` {
  @Test func `keeps what was shared`() async throws {
    let requests = RequestService()
    let host = TestHost(services: [requests, ShareService(), DefaultsService(store: .inMemory())])
    let identity = Caller.Identity.testing(point: .share, groups: ["group.__APP_ID__"])
    let outcome = try await host.withExtension(__NAME__.self, identity: identity) {
      try await $0.share([], contentText: "See you there", requests: requests)
    }
    #expect(outcome == .completed([ExtensionItem(attachments: [.text("Shared: See you there")])]))
  }
}
