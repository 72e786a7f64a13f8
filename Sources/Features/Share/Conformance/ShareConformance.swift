package import Conformance
import Contracts
import ExtensionHosting
package import ExtensionProtocol
import HostServices
import JSON

/// Share extensions.
package enum ShareConformance: ConformanceFeature {
  /// The extension point of Share extensions.
  package static let points: [ExtensionPoint] = [.share]

  /// Posts items once.
  package static func mainScenario(_ context: CheckContext) async throws {
    _ = try await context.withExtension { try await context.post(with: $0) }
  }

  /// The checks of a Share extension, in the order in which they run.
  package static let checks = [
    ConformanceCheck(
      "share-validate", "share/validateContent is answered with isValid.",
      advice: "Answer {\"isValid\":true} or false, and charactersRemaining if you count.", points: [.share]
    ) { context in
      try await context.withExtension { process in
        try await context.compose(with: process) {
          sheet in
          let state = try await sheet.setText(CheckContext.text)
          return state.isValid ? "valid" : "not valid"
        }
      }
    },
    ConformanceCheck(
      "share-post", "share/didSelectPost is answered, and the request is completed or cancelled.",
      advice: "Answer {}, then call context/completeRequest.", points: [.share]
    ) { context in
      try await context.withExtension { try await context.post(with: $0).remark }
    },
    ConformanceCheck(
      "share-cancel", "share/didSelectCancel is answered.",
      advice: "Answer {} and cancel the request, or leave the method out: the host cancels then.", points: [.share]
    ) { context in
      let outcome = try await context.withExtension { process in
        try await context.compose(with: process) {
          try await $0.cancel(deadline: context.timeout)
        }
      }
      guard try await context.hasAnswered(Share.DidSelectCancel.method) else {
        throw CheckFailure("It did not answer share/didSelectCancel within \(context.timeout).")
      }
      return outcome.remark
    },
  ]
}

extension CheckContext {
  fileprivate func post(with process: ExtensionProcess) async throws -> RequestService.Outcome {
    try await compose(with: process) { sheet in
      _ = try await sheet.setText(Self.text)
      return try await sheet.post(deadline: timeout * 2)
    }
  }

  fileprivate func compose<Result>(
    with process: ExtensionProcess, _ body: (ShareSheet) async throws -> Result
  ) async throws -> Result {
    try await process.compose([Self.item], requests: requests, service: host.service(), body)
  }
}
