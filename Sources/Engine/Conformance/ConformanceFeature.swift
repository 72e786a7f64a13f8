package import ExtensionHosting
package import ExtensionProtocol

/// What a feature adds to `host conform`: the checks of its extension points, and how one of their extensions is used.
package protocol ConformanceFeature: SendableMetatype {
  /// The extension points whose ``mainScenario(_:)`` this is.
  static var points: [ExtensionPoint] { get }
  /// Checks that use an extension as a host does, in the order in which they are told.
  static var checks: [ConformanceCheck] { get }
  /// Checks that look at what was said in all the others, and so run after them.
  static var conversationChecks: [ConformanceCheck] { get }
  /// Whether an extension of these points is of no use without an app group, so that a program without a manifest gets one.
  static var needsAppGroup: Bool { get }
  /// Makes services that have to be others than those of a real host, because there is no user and no server here.
  ///
  /// - Parameter identity: the extension that is tried.
  static func prepare(_ environment: HostEnvironment, for identity: Caller.Identity) throws
  /// The main thing that an extension of these points is for.
  ///
  /// - Throws: ``CheckFailure`` when the extension does not do it.
  static func mainScenario(_ context: CheckContext) async throws
}

extension ConformanceFeature {
  package static var points: [ExtensionPoint] { [] }
  package static var checks: [ConformanceCheck] { [] }
  package static var conversationChecks: [ConformanceCheck] { [] }
  package static var needsAppGroup: Bool { false }
  package static func prepare(_ environment: HostEnvironment, for identity: Caller.Identity) throws {}
  /// Starts the extension, and ends it.
  package static func mainScenario(_ context: CheckContext) async throws {
    _ = try await context.withExtension { _ in true }
  }
}
