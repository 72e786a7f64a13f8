import JSONRPC
import HostServices
import JSON

extension Golden {
  static let api: [Golden] = [
    Golden(
      API.Report(symbol: "socket"),
      API.Report.Result(
        allowed: false, reason: "An extension has no network and no sockets.",
        replacement: "Ask the host for content (content/execute), or the containing app to fetch it."))
  ]
}
