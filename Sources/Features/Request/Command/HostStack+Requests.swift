import CommandLineTool
import ExtensionHosting
import HostCLI
import HostServices

extension HostStack {
  var requests: RequestService { service() }
}

extension RequestService.Outcome {
  /// Says in a line how a request ended.
  func note(_ entry: RegistryEntry, to invocation: Invocation) -> ExitStatus {
    let name = entry.displayName.escapedForTerminal
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
