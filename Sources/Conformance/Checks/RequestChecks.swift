import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSONRPC

/// Share and Action extensions.
extension ConformanceCheck {
  static let share = [
    ConformanceCheck(
      "share-validate", "share/validateContent is answered with isValid.",
      advice: "Answer {\"isValid\":true} or false, and charactersRemaining if you count.", points: [.share]
    ) { bench in
      try await bench.withExtension { process in
        try await process.compose([CheckBench.item], requests: bench.stand.requests, service: bench.stand.share) {
          sheet in
          let state = try await sheet.setText(CheckBench.text)
          return state.isValid ? "valid" : "not valid"
        }
      }
    },
    ConformanceCheck(
      "share-post", "share/didSelectPost is answered, and the request is completed or cancelled.",
      advice: "Answer {}, then call context/completeRequest.", points: [.share]
    ) { bench in
      try await bench.withExtension { Self.remark(try await bench.post(with: $0)) }
    },
    ConformanceCheck(
      "share-cancel", "share/didSelectCancel is answered.",
      advice: "Answer {} and cancel the request, or leave the method out: the host cancels then.", points: [.share]
    ) { bench in
      let outcome = try await bench.withExtension { process in
        try await process.compose([CheckBench.item], requests: bench.stand.requests, service: bench.stand.share) {
          try await $0.cancel(deadline: bench.patience)
        }
      }
      guard try await bench.hasAnswered(Share.DidSelectCancel.method) else {
        throw CheckFailure("It did not answer share/didSelectCancel within \(bench.patience).")
      }
      return Self.remark(outcome)
    },
  ]

  static let action = [
    ConformanceCheck(
      "action-perform", "action/perform is answered, and the request is completed or cancelled.",
      advice: "Answer {}, then call context/completeRequest with the items you made.", points: [.action, .actionUI]
    ) { bench in
      try await bench.withExtension { process in
        Self.remark(
          try await process.perform([CheckBench.item], requests: bench.stand.requests, deadline: bench.patience * 2))
      }
    }
  ]

  private static func remark(_ outcome: RequestService.Outcome) -> String {
    switch outcome {
    case .completed(let items): "completed with \(items.count) items"
    case .cancelled(let error): "cancelled: \(error.localizedDescription ?? "\(error.domain) \(error.code)")"
    }
  }
}
