import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HostServices
import Transfers

/// The hosts in which a daemon starts apps: one for each set of manifests that sessions were begun with.
actor SessionHosts {
  private let invocation: Invocation
  private var stacks: [[String]: HostStack] = [:]

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// The host that has a session's app and extensions, as their manifests are now.
  func host(of session: SessionRecord) throws -> ExtensionHost {
    if let known = stacks[session.manifests] {
      if known.registry == known.registry.readAgain() { return known.host }
    }
    let stack = try HostStack(invocation, manifests: session.manifests)
    stacks[session.manifests] = stack
    return stack.host
  }
}
