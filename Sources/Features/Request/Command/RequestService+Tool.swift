import CommandLineTool
import CommandRuntime
import Contracts
import ExtensionHosting
import Glibc
import HostServices

extension HostStack {
  var requests: RequestService { service() }
}

extension RequestService.Outcome {
  /// Says in a line how a request ended.
  func note(_ entry: RegistryEntry, to invocation: Invocation) -> ExitStatus {
    let name = entry.displayName
    switch self {
    case .completed(let items):
      invocation.console.note("\(name) completed with \(items.count) item(s).")
      return .success
    case .cancelled(let failure):
      invocation.console.note("\(name) cancelled: \(failure.domain) \(failure.code).")
      return .failure
    }
  }
}

extension RequestService.Terms {
  /// Creates this tool's description of the host app for an extension.
  init(_ invocation: Invocation, acceptableTypes: [String]? = nil) {
    let size = TerminalSize(descriptor: STDERR_FILENO)
    self.init(
      host: Request.HostApp(bundleID: "annex.host", acceptableTypes: acceptableTypes),
      presentation: Request.Presentation(
        interactive: Dialogue.isPossible(invocation),
        size: size.map { WidgetSize(width: $0.columns, height: $0.lines) }))
  }
}
