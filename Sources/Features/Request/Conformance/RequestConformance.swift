package import Conformance
package import Contracts
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON

/// Requests, which Share and Action extensions complete or cancel.
package enum RequestConformance: ConformanceFeature {
  /// Checks of how requests were completed or cancelled, run after all others.
  package static let conversationChecks = [
    ConformanceCheck(
      "one-end", "A request is ended exactly once, by context/completeRequest or context/cancelRequest.",
      advice: "Complete or cancel in one place; a second end is refused with -32026.",
      points: [.share, .action, .actionUI]
    ) { context in
      var ends: [String: Int] = [:]
      for frame in try await context.conversations().joined() {
        let method = frame.message["method"]?.stringValue
        guard let id = frame.message["params"]?["requestID"]?.stringValue else { continue }
        if frame.isFromHost, method == Request.Begin.method { ends[id] = 0 }
        if !frame.isFromHost, method == Request.Complete.method || method == Request.Cancel.method {
          ends[id, default: 0] += 1
        }
      }
      guard let most = ends.values.max(), most > 0 else { throw CheckSkipped("No request was ended.") }
      guard most == 1 else { throw CheckFailure("It ended one request \(most) times.") }
      return nil
    }
  ]
}

extension RequestService.Outcome {
  /// The end of a request in a few words.
  var remark: String {
    switch self {
    case .completed(let items): "completed with \(items.count) items"
    case .cancelled(let error): "cancelled: \(error.localizedDescription ?? "\(error.domain) \(error.code)")"
    }
  }
}

extension CheckContext {
  var requests: RequestService { host.service() }
}

extension Features {
  /// Every check, those of the features included.
  package static let checks = CheckList(conformance, hosts: hosts, points: points.points)
}
