import Activation
import ExtensionProtocol
import PropertyList
import Text

/// Resolves what concerns several entries at once: containing apps, app groups, references between manifests,
/// duplicates, elections.
struct RegistryRelations {
  private(set) var entries: [RegistryEntry]

  private let manifests: [ExactText: PropertyListNode]
  /// The manifests of apps by identifier, the highest version of each.
  private let apps: [String: Manifest]
  private let points: ExtensionPointTable

  init(_ scan: RegistryScan, _ sources: RegistrySources, points: ExtensionPointTable) {
    self.points = points
    entries = scan.entries
    manifests = scan.manifests
    let all = scan.entries.compactMap { entry in entry.isApp ? entry.manifest.map { (entry.identifier, $0) } : nil }
    apps = Dictionary(all) { one, other in one.version < other.version ? other : one }
    findContainingApps()
    checkAgainstApps()
    checkDeclaredTypes()
    checkNeighbours()
    applyElections()
    checkTeams(sources)
    checkApprovals(sources.approvals)
    settleDuplicates()
    nameEntries()
    entries.sort { ($0.identifier, $0.manifestPath) < ($1.identifier, $1.manifestPath) }
  }

  private func node(of index: Int) -> PropertyListNode? { manifests[ExactText(entries[index].manifestPath)] }

  private func app(_ identifier: String?) -> Manifest? { identifier.flatMap { apps[$0] } }

  private mutating func fail(_ index: Int, _ path: PropertyListKeyPath, _ message: String, _ recovery: String) {
    entries[index].add(.error, node(of: index), path, message, recovery)
  }

  private mutating func warn(_ index: Int, _ path: PropertyListKeyPath, _ message: String, _ recovery: String) {
    entries[index].add(.warning, node(of: index), path, message, recovery)
  }

  /// Finds the containing app of each loose extension: the app whose identifier is the longest prefix of its own, by
  /// whole components.
  private mutating func findContainingApps() {
    for index in entries.indices where entries[index].manifest != nil && entries[index].containingApp == nil {
      let identifier = entries[index].identifier
      entries[index].containingApp = containingApp(of: identifier)
      guard entries[index].containingApp == nil else { continue }
      fail(
        index, PropertyListKeyPath("CFBundleIdentifier"),
        "No containing app is registered whose identifier begins “\(identifier)”.",
        "Add the app's manifest; the extension's identifier is the app's with one or more components added.")
    }
  }

  private func containingApp(of identifier: String) -> String? {
    var beginning = identifier[...]
    while let dot = beginning.lastIndex(of: ".") {
      beginning = beginning[..<dot]
      if apps[String(beginning)] != nil { return String(beginning) }
    }
    return nil
  }

  private mutating func checkAgainstApps() {
    for index in entries.indices where !entries[index].isApp && entries[index].manifest != nil {
      if let app = app(entries[index].containingApp) { checkGroups(index, app) }
    }
  }

  /// A group counts only when both have it.
  private mutating func checkGroups(_ index: Int, _ app: Manifest) {
    let path = PropertyListKeyPath("Entitlements", "com.apple.security.application-groups")
    let groups = node(of: index)?.node(at: path)?.value.arrayValue ?? []
    for (position, group) in groups.enumerated() {
      guard let group = group.stringValue, !app.appGroups.contains(group) else { continue }
      fail(
        index, path.appending(position),
        "The containing app \(app.identifier) is not entitled to the group “\(group)”.",
        "Add the group to the app's manifest as well.")
    }
  }

  /// Whose an identifier is, and what its team takes back.
  private mutating func checkTeams(_ sources: RegistrySources) {
    for index in entries.indices where entries[index].isEnabled {
      let signature = entries[index].signature
      let reason = signature.flatMap { signature in
        [signature.digest, signature.key].compactMap { fingerprint in
          sources.revoked[RegistryRecord.revocationKey(fingerprint, of: signature.team)]
        }.first
      }
      let team = signature.map { sources.successors[$0.team] ?? $0.team } ?? ""
      let owner = entries[index].containingApp.flatMap { sources.teams[$0] } ?? sources.teams[entries[index].identifier]
      if let reason {
        entries[index].state = .revoked(reason: reason)
      } else if let owner, owner.team != team {
        entries[index].state = .foreign(owner: owner)
      }
    }
  }

  private mutating func checkApprovals(_ approvals: [String: Set<String>]) {
    for index in entries.indices where entries[index].isEnabled {
      let asks = entries[index].unapproved(by: approvals)
      if !asks.isEmpty { entries[index].state = .unapproved(asks: asks.sorted()) }
    }
  }

  /// Reports types that conform to themselves, and parents that are not declared.
  private mutating func checkDeclaredTypes() {
    let types = ExtensionRegistry.types(declaredBy: entries)
    for index in entries.indices {
      for declaration in entries[index].manifest?.typeDeclarations ?? [] {
        for parent in declaration.conformsTo {
          if types.conforms(parent, to: declaration.identifier) {
            fail(
              index, path(of: declaration, in: index),
              "The type \(declaration.identifier) conforms to itself through \(parent).",
              "Leave out one of the conformances of the circle.")
          } else if !types.knows(declared: parent) {
            warn(
              index, path(of: declaration, in: index),
              "The type \(declaration.identifier) conforms to \(parent), which no app declares.",
              "Declare \(parent) as well, or name another type.")
          }
        }
      }
    }
  }

  private func path(of declaration: Manifest.TypeDeclaration, in index: Int) -> PropertyListKeyPath {
    for key in ["UTExportedTypeDeclarations", "UTImportedTypeDeclarations"] {
      let all = node(of: index)?[key]?.value.arrayValue ?? []
      let position = all.firstIndex { $0["UTTypeIdentifier"]?.stringValue == declaration.identifier }
      if let position { return PropertyListKeyPath(key).appending(position).appending("UTTypeConformsTo") }
    }
    return .root
  }

  /// What the rules of an extension point say about the other manifests.
  private mutating func checkNeighbours() {
    let types = ExtensionRegistry.types(declaredBy: entries)
    for index in entries.indices {
      guard let manifest = entries[index].manifest, let node = node(of: index),
        let check = points.definition(of: manifest.point).manifest.checkNeighbours
      else { continue }
      let owner = entries[index].containingApp
      let siblings = entries.filter { !$0.isApp && $0.containingApp == owner }.compactMap(\.manifest)
      var reader = ManifestReader(root: node, file: entries[index].manifestPath)
      check(
        &reader,
        ManifestNeighbours(
          of: manifest, app: app(owner), siblings: siblings, knowsType: { types.knows($0) }))
      for problem in reader.problems { entries[index].add(problem) }
    }
  }

  private mutating func applyElections() {
    for index in entries.indices where entries[index].election == .ignore && entries[index].isEnabled {
      entries[index].state = .ignored
    }
  }

  /// The highest version is used, the newest among equals. An entry that cannot be used does not compete, so a broken
  /// new version never hides a working old one.
  private mutating func settleDuplicates() {
    let candidates = entries.indices.filter { entries[$0].isEnabled }
    for (_, indices) in Dictionary(grouping: candidates, by: { entries[$0].identifier }) where indices.count > 1 {
      guard let best = indices.max(by: { rank(entries[$0]) < rank(entries[$1]) }) else { continue }
      for index in indices where index != best {
        entries[index].state = .superseded(by: entries[best].manifestPath)
      }
    }
  }

  private func rank(_ entry: RegistryEntry) -> (BundleVersion, Double, String) {
    (entry.manifest?.version ?? BundleVersion("0"), entry.modified, entry.manifestPath)
  }

  private mutating func nameEntries() {
    for index in entries.indices where entries[index].displayName.isEmpty {
      let appName = entries[index].isApp ? nil : app(entries[index].containingApp)?.displayName
      let last = entries[index].identifier.split(separator: ".").last.map(String.init)
      entries[index].displayName = appName ?? last ?? entries[index].identifier
    }
  }
}
