package import ExtensionHosting
package import ExtensionProtocol

/// A feature's part of `host conform`: the checks of its extension points, and their main scenario.
package protocol ConformanceFeature: SendableMetatype {
  /// The extension points whose ``mainScenario(_:)`` this is.
  static var points: [ExtensionPoint] { get }
  /// The checks that use an extension as a host does, in the order of the report.
  static var checks: [ConformanceCheck] { get }
  /// Checks that look at what was said in all the others, and so run after them.
  static var conversationChecks: [ConformanceCheck] { get }
  /// Whether an extension of these points is of no use without an app group, so that a program without a manifest gets one.
  static var needsAppGroup: Bool { get }
  /// Replaces services that differ from those of a real host, because there is neither a user nor a server.
  ///
  /// - Parameter identity: the extension under test.
  static func prepare(_ environment: HostEnvironment, for identity: Caller.Identity) throws
  /// The main thing that an extension of these points is for.
  ///
  /// - Throws: ``CheckFailure`` when the extension does not do it.
  static func mainScenario(_ context: CheckContext) async throws
}

extension ConformanceFeature {
  /// No extension points.
  package static var points: [ExtensionPoint] { [] }
  /// No checks.
  package static var checks: [ConformanceCheck] { [] }
  /// No checks.
  package static var conversationChecks: [ConformanceCheck] { [] }
  /// `false`: the extension can be used without an app group.
  package static var needsAppGroup: Bool { false }
  /// Does nothing: the services of a real host are good enough.
  package static func prepare(_ environment: HostEnvironment, for identity: Caller.Identity) throws {}
  /// Starts the extension, and ends it.
  package static func mainScenario(_ context: CheckContext) async throws {
    _ = try await context.withExtension { _ in true }
  }
}
