package import Conformance
import Contracts
import ExtensionHosting
package import ExtensionProtocol
import HostServices

/// Action extensions.
package enum ActionConformance: ConformanceFeature {
  package static let points: [ExtensionPoint] = [.action, .actionUI]

  package static func mainScenario(_ context: CheckContext) async throws {
    _ = try await context.withExtension {
      try await $0.perform([CheckContext.item], requests: context.requests, deadline: context.timeout * 2)
    }
  }

  package static let checks = [
    ConformanceCheck(
      "action-perform", "action/perform is answered, and the request is completed or cancelled.",
      advice: "Answer {}, then call context/completeRequest with the items you made.", points: [.action, .actionUI]
    ) { context in
      try await context.withExtension { process in
        try await process.perform([CheckContext.item], requests: context.requests, deadline: context.timeout * 2).remark
      }
    }
  ]
}
