package import Conformance
import Contracts
import ExtensionHosting
package import ExtensionProtocol
import HostServices

/// Action extensions.
package enum ActionConformance: ConformanceFeature {
  package static let points: [ExtensionPoint] = [.action, .actionUI]

  package static func mainScenario(_ context: CheckContext) async throws {
    _ = try await context.withExtension { try await perform(with: $0, context) }
  }

  package static let checks = [
    ConformanceCheck(
      "action-perform", "action/perform is answered, and the request is completed or cancelled.",
      advice: "Answer {}, then call context/completeRequest with the items you made.", points: [.action, .actionUI]
    ) { context in
      try await context.withExtension { try await perform(with: $0, context).remark }
    }
  ]

  /// Runs the action on one item. Its text comes with it, and can be loaded under a type that it conforms to.
  private static func perform(
    with process: ExtensionProcess, _ context: CheckContext
  ) async throws -> RequestService.Outcome {
    let item = CheckContext.item
    let sources = item.attachments.map { attachment in
      let source = ItemService.Source(
        bytes: Array(CheckContext.text.utf8), typeIdentifiers: attachment.registeredTypeIdentifiers,
        suggestedName: attachment.suggestedName)
      return (attachment.itemID, source)
    }
    context.host.service(ItemService.self).offer(Dictionary(sources) { first, _ in first }, to: process)
    return try await process.perform([item], requests: context.requests, deadline: context.timeout * 2)
  }
}
