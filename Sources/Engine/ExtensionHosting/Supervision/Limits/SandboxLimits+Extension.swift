package import ExtensionProtocol
package import Sandbox

extension ExtensionPointDefinition.GroupAccess {
  /// What the containers of app groups are opened for.
  ///
  /// - Parameter openAccess: whether the user has given the extension open access.
  package func access(openAccess: Bool) -> SandboxPolicy.Access {
    switch self {
    case .readWrite: .readWrite
    case .readOnlyWithoutOpenAccess: openAccess ? .readWrite : .readOnly
    }
  }
}

extension SandboxLimits {
  /// Memory beside the ceiling that is reserved and never touched: stacks of threads, arenas, the heap of an interpreter.
  private static let reserve: UInt64 = 256 << 20

  /// What the kernel enforces for each process by itself. Of the memory that is a backstop; see `ResourceStateMachine`.
  package init(_ limits: ExtensionLimits) {
    self.init()
    data = limits.memory + min(Self.reserve, UInt64.max - limits.memory)
    threads = limits.threads
    descriptors = limits.descriptors
    fileSize = limits.fileSize
  }
}
