package import ExtensionHosting
package import ExtensionProtocol

/// The checks of the protocol and those of some features.
package struct CheckList: Sendable {
  /// What is tried byte by byte, each check with a process of its own.
  var wire: [ConformanceCheck]
  /// What is looked at in the recording of all the others.
  var conversation: [ConformanceCheck]
  /// What is tried on a real host.
  let scenarios: [ConformanceCheck]
  let features: [any ConformanceFeature.Type]
  /// The features whose services an extension meets.
  let hosts: HostFeatures

  /// The list for some features; without any, only what holds for every extension is tried.
  ///
  /// - Parameters:
  ///   - hosts: the features whose services an extension meets.
  ///   - points: the extension points, in the order in which their checks are told.
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

  /// Every check, in the order in which they are told: what holds for every extension, then point by point.
  package var all: [ConformanceCheck] { wire + conversation + scenarios }

  /// The feature that an extension point belongs to.
  func feature(of point: ExtensionPoint) -> (any ConformanceFeature.Type)? {
    features.first { $0.points.contains(point) }
  }

  /// Whether a program without a manifest has to be given an app group before it can be tried at a point.
  package func needsAppGroup(at point: ExtensionPoint) -> Bool { feature(of: point)?.needsAppGroup ?? false }
}
