package import ExtensionProtocol
package import Sandbox

/// What an extension point entitles to: ceilings, and how the containers of app groups may be used. Besides this an
/// extension has its bundle, its own container and its scratch directory, and nothing else.
package struct SandboxProfile: Sendable, Hashable {
  /// What an extension may do in the containers of its app groups.
  package enum GroupAccess: Sendable, Hashable {
    case readWrite
    /// Reading, and writing with the user's open access.
    case readOnlyWithoutOpenAccess
  }

  package var limits: ExtensionLimits
  package var groups: GroupAccess

  /// The ceilings are those of Apple's points, as far as they are known: a small share for what runs beside others, a
  /// large one for what the user works in. An idle program needs 1 MiB of it in Swift, 4 in Python, 7 in Node.
  private static let table: [(point: ExtensionPoint, memoryMiB: UInt64, groups: GroupAccess)] = [
    // point            MiB  containers of app groups
    (.today, 32, .readWrite),
    (.share, 128, .readWrite),
    (.action, 128, .readWrite),
    (.actionUI, 128, .readWrite),
    (.photoEditing, 256, .readWrite),
    (.documentPicker, 128, .readWrite),
    (.fileProvider, 32, .readWrite),
    (.keyboard, 64, .readOnlyWithoutOpenAccess),
    (.containingApp, 256, .readWrite),
  ]

  /// The profile of a point; of a containing app for a point of an embedder's own.
  package static func of(_ point: ExtensionPoint) -> SandboxProfile {
    let row = table.first { $0.point == point }
    return SandboxProfile(
      limits: ExtensionLimits(memoryMiB: row?.memoryMiB ?? 256), groups: row?.groups ?? .readWrite)
  }

  /// The limits for one extension: what its manifest lowers is lowered.
  package func limits(loweredBy manifest: Manifest.Limits) -> ExtensionLimits { limits.lowered(by: manifest) }

  /// What the containers of app groups are opened for.
  ///
  /// - Parameter openAccess: whether the user has given the extension open access.
  package func groupAccess(openAccess: Bool) -> SandboxPolicy.Access {
    switch groups {
    case .readWrite: .readWrite
    case .readOnlyWithoutOpenAccess: openAccess ? .readWrite : .readOnly
    }
  }
}

extension SandboxLimits {
  /// Room beside the ceiling for memory that is reserved and never touched: stacks of threads, arenas, the heap of an
  /// interpreter.
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
