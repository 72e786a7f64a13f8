package import ExtensionHosting
package import ExtensionProtocol

/// The checks of the protocol and those of some features.
package struct CheckList: Sendable {
  /// The checks on the level of bytes, each with a process of its own.
  var wire: [ConformanceCheck]
  /// The checks of the recordings of all others.
  var conversation: [ConformanceCheck]
  /// The checks with a real host.
  let scenarios: [ConformanceCheck]
  let features: [any ConformanceFeature.Type]
  /// The features whose services an extension meets.
  let hosts: HostFeatures

  /// Creates the list for some features; without any, it has only the checks that apply to every extension.
  ///
  /// - Parameters:
  ///   - hosts: the features whose services an extension can use.
  ///   - points: the extension points, in the order in which their checks are reported.
  package init(_ features: [any ConformanceFeature.Type], hosts: HostFeatures, points: [ExtensionPoint]) {
    (self.features, self.hosts) = (features, hosts)
    wire =
      ConformanceCheck.beginning + ConformanceCheck.messages + ConformanceCheck.malformed + ConformanceCheck.load
      + ConformanceCheck.ending
    conversation = features.flatMap { $0.conversationChecks } + ConformanceCheck.conversation
    func place(_ check: ConformanceCheck) -> Int {
      points.firstIndex { check.points?.contains($0) ?? false } ?? points.count
    }
    scenarios = features.flatMap { $0.checks }.sorted { place($0) < place($1) }
  }

  /// Every check, in the order of the report: those for every extension, then point by point.
  package var all: [ConformanceCheck] { wire + conversation + scenarios }

  /// The feature that an extension point belongs to.
  func feature(of point: ExtensionPoint) -> (any ConformanceFeature.Type)? {
    features.first { $0.points.contains(point) }
  }

  /// Whether a program without a manifest has to be given an app group before it can be tried at a point.
  package func needsAppGroup(at point: ExtensionPoint) -> Bool { feature(of: point)?.needsAppGroup ?? false }
}
