import CommandLineTool
import ExtensionProtocol
import JSON

/// Errors that say why an identifier has no extension to use.
extension ExtensionRegistry {
  /// Returns the identifiers of extensions that a misspelt one may have meant: those with a similar spelling, and those
  /// with a similar last component.
  public func nearMisses(of identifier: String) -> [String] {
    let known = Array(Set(entries.filter { !$0.isApp }.map(\.identifier))).sorted()
    let bySpelling = CommandLineTool.nearMisses(of: identifier, in: known)
    let last = lastComponent(identifier)
    let endings = CommandLineTool.nearMisses(of: last, in: known.map(lastComponent))
    let byEnding = known.filter { endings.contains(lastComponent($0)) && !bySpelling.contains($0) }
    return Array((bySpelling + byEnding).prefix(3))
  }

  private func lastComponent(_ identifier: String) -> String {
    identifier.split(separator: ".").last.map(String.init) ?? identifier
  }

  func unknown(_ identifier: String) -> ExtensionError {
    let misses = nearMisses(of: identifier)
    let recovery = didYouMean(misses) ?? entries.first { $0.isUnreadable }.flatMap(Self.unreadable)
    return ExtensionError(
      .extensionUnknown, "No extension is called “\(identifier)”.", recovery: recovery,
      details: ["id": .string(identifier), "nearMisses": .array(misses.map { .string($0) })])
  }

  /// Advice for a name that nothing has, when a manifest that cannot be read may be the one that was meant.
  private static func unreadable(_ entry: RegistryEntry) -> String? {
    guard let problem = entry.faults.first else { return nil }
    let place = problem.line.map { "\(entry.manifestPath):\($0)" } ?? entry.manifestPath
    return "A manifest cannot be read, which may be the one that you mean: \(place). \(problem.recovery)"
  }

  private static func code(of state: RegistryEntry.State) -> ExtensionError.Code {
    switch state {
    case .ignored, .unapproved, .revoked, .foreign: .permissionDenied
    case .enabled, .invalid, .missingExecutable, .superseded: .extensionInvalid
    }
  }

  private static func recovery(for entry: RegistryEntry) -> String? {
    switch entry.state {
    case .ignored: "Take the decision back: RegistryRecord.elect(nil, for:)."
    case .unapproved: "Let the user approve what it asks for: RegistryRecord.approve(_:for:)."
    case .revoked: "Install a version that its team has signed since, or run \"host remove \(entry.identifier)\"."
    case .foreign: "Add it with \"host add\", which asks whether it may take the name, or give it another identifier."
    case .missingExecutable where entry.executableProblem == nil:
      "Put the bundle back, or run \"host remove \(entry.identifier)\"."
    case .enabled, .invalid, .missingExecutable, .superseded: nil
    }
  }

  func unusable(_ entry: RegistryEntry) -> ExtensionError {
    let reasons = entry.reasons
    let what = entry.isUnreadable ? "is there, but cannot be used" : "cannot be used"
    let message = "The extension \(entry.identifier) \(what): \(reasons.first ?? entry.state.name)"
    let recovery = entry.faults.first?.recovery ?? entry.executableFault?.recovery
    return ExtensionError(
      Self.code(of: entry.state), message, recovery: Self.recovery(for: entry) ?? recovery,
      details: [
        "id": .string(entry.identifier), "state": .string(entry.state.name),
        "reasons": .array(reasons.map { .string($0) }),
      ])
  }
}
