import Activation
import CommandLineTool
import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON

/// The extensions that accept an input, and the reasons the others do not.
struct Matching {
  struct Candidate {
    var entry: RegistryEntry
    var match: ActivationMatch
  }

  let candidates: [Candidate]
  var offered: [Candidate] { candidates.filter(\.match.isOffered) }

  init(_ input: SharedInput, at points: [ExtensionPoint], in registry: ExtensionRegistry) {
    candidates = registry.matches([input.activationItem], at: points).map {
      Candidate(entry: $0.entry, match: $0.match)
    }
  }

  /// The one extension to use: the named one, or the only one that takes the input.
  ///
  /// - Throws: `extensionUnknown`, `activationMismatch` with the reasons, or a usage error when several match.
  func choose(named name: String?, at points: [ExtensionPoint], registry: ExtensionRegistry) throws -> RegistryEntry {
    if let name { return try chosen(name, at: points, registry: registry) }
    let offered = offered
    if offered.count == 1 { return offered[0].entry }
    guard offered.isEmpty else {
      let ids = offered.map(\.entry.identifier).joined(separator: ", ")
      throw CommandLineError("Several extensions take this: \(ids).", help: "Choose one with --with ID.")
    }
    let reasons = candidates.map { "\($0.entry.identifier): \($0.match.explanation.joined(separator: "; "))" }
    throw ExtensionError(
      .activationMismatch,
      candidates.isEmpty
        ? "There is no extension of this kind (\(points.map(\.shortName).joined(separator: ", ")))."
        : "No extension takes this.",
      details: ["explain": .array(reasons.map { .string($0) })], cause: reasons)
  }

  private func chosen(
    _ name: String, at points: [ExtensionPoint], registry: ExtensionRegistry
  ) throws -> RegistryEntry {
    let entry = try registry.enabledExtension(name)
    guard points.contains(where: { $0 == entry.point }) else {
      throw ExtensionError(
        .pointDisallows,
        "\(entry.identifier) is for \(entry.point?.shortName ?? "no known point"), not for "
          + "\(points.map(\.shortName).joined(separator: " or ")).",
        recovery: "Run \"host list\" to see which extensions there are for which point.")
    }
    if let candidate = candidates.first(where: { $0.entry.identifier == name }), !candidate.match.isOffered {
      throw ExtensionError(
        .activationMismatch, "\(name) does not take this.",
        details: ["explain": .array(candidate.match.explanation.map { .string($0) })],
        cause: candidate.match.explanation)
    }
    return entry
  }
}
