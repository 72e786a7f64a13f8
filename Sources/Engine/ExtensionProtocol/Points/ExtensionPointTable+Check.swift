/// Whether definitions fit each other and the services of a host. A prefix has one owner, so that a reader of the wire
/// knows what a method is, and no point speaks for another.
extension ExtensionPointTable {
  /// Checks the definitions and the contracts of a host's services against each other.
  ///
  /// - Throws: `internalError` with both names when two claim one prefix; when a method stands outside its owner's prefix,
  ///   or stands twice; when a name is none.
  public func check(_ contracts: [any ServiceContract.Type] = []) throws(ExtensionError) {
    for definition in given { try definition.check() }
    for (index, definition) in given.enumerated() {
      for other in given[..<index] { try definition.check(beside: other) }
    }
    for contract in contracts {
      for definition in given where definition.prefix == contract.name && !definition.owns(contract) {
        throw .unfit(
          "The service \(contract) and the extension point \(definition.point.rawValue) both claim the prefix "
            + "\(contract.name).",
          "Give one of them another prefix, or name the service among the services of the point.")
      }
    }
  }
}

extension ExtensionPointDefinition {
  /// Whether a service under the point's prefix is the point's own.
  fileprivate func owns(_ contract: any ServiceContract.Type) -> Bool {
    (services ?? []).contains { $0 == contract } || contract.points.contains { $0.point == point }
  }

  fileprivate func check() throws(ExtensionError) {
    guard Self.isPrefix(prefix) else {
      throw .unfit(
        "“\(prefix)” of the extension point \(point.rawValue) is not a prefix of methods.",
        "Use small letters, digits and dashes, a letter first; it may not be a word of the wire itself.")
    }
    guard point == .containingApp || ManifestNames.isIdentifier(point.rawValue) else {
      throw .unfit(
        "“\(point.rawValue)” is not the identifier of an extension point.",
        "Use letters, digits and hyphens in components joined by dots: org.example.site.renderer.")
    }
    var methods: Set<String> = []
    for call in calls {
      guard call.method.hasPrefix("\(prefix)/"), call.method.utf8.count > prefix.utf8.count + 1 else {
        throw .unfit(
          "The extension point \(point.rawValue) has the method \(call.method), which is outside its prefix \(prefix).",
          "Begin its name with “\(prefix)/”, or name the service that it belongs to among the common calls.")
      }
      guard methods.insert(call.method).inserted else {
        throw .unfit("The extension point \(point.rawValue) has the method \(call.method) twice.", "Leave one out.")
      }
      guard version(of: call) <= self.version else {
        throw .unfit(
          "\(call.method) came with version \(call.since) of the extension point \(point.rawValue), which is "
            + "\(self.version).", "Raise the version of the definition.")
      }
    }
  }

  fileprivate func check(beside other: ExtensionPointDefinition) throws(ExtensionError) {
    guard point == other.point || prefix == other.prefix || shortName == other.shortName else { return }
    let isAlike = calls.count == other.calls.count && zip(calls, other.calls).allSatisfy { $0.isSame(as: $1) }
    if point == other.point {
      guard isAlike, prefix == other.prefix else {
        throw .unfit("Two definitions of the extension point \(point.rawValue) differ.", "Leave one of them out.")
      }
      return
    }
    guard shortName != other.shortName else {
      throw .unfit(
        "The extension points \(other.point.rawValue) and \(point.rawValue) are both called \(shortName).",
        "Give one of them another short name.")
    }
    guard isAlike, !calls.isEmpty else {
      throw .unfit(
        "The extension points \(other.point.rawValue) and \(point.rawValue) both claim the prefix \(prefix).",
        "Give one of them another prefix.")
    }
  }

  /// What methods of the wire itself begin with.
  private static let reserved: Set<String> = [
    "initialize", "initialized", "terminate", "memoryPressure", "permissions",
  ]

  private static func isPrefix(_ text: String) -> Bool {
    ManifestNames.isWord(text, atMost: 64) && !reserved.contains(text)
  }
}

extension ExtensionError {
  /// What a host is made of does not fit together.
  fileprivate static func unfit(_ message: String, _ recovery: String) -> ExtensionError {
    ExtensionError(.internalError, message, recovery: recovery)
  }
}
