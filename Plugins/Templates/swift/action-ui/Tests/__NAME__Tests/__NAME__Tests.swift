import AppExtensions
import ExtensionTesting
import Testing

@testable import __NAME__

@Suite struct `The action` {
  @Test func `writes capitals`() async throws {
    let requests = RequestService()
    let host = TestHost(services: [requests])
    let outcome = try await host.withExtension(__NAME__.self, identity: .testing(point: .action)) {
      try await $0.perform([ExtensionItem(attachments: [.text("One two")])], requests: requests)
    }
    #expect(outcome == .completed([ExtensionItem(attachments: [.text("ONE TWO")])]))
  }
}
