import Activation
import ExtensionProtocol
import PropertyList

/// Settles what concerns several entries at once: containing apps, app groups, document pickers, duplicates, elections.
struct RegistryRelations {
  private(set) var entries: [RegistryEntry]

  init(_ scanned: [RegistryEntry], approvals: [String: Set<String>] = [:]) {
    entries = scanned
    findContainingApps()
    checkAgainstApps()
    checkTypes()
    applyElections()
    checkApprovals(approvals)
    settleDuplicates()
    nameEntries()
    entries.sort { ($0.identifier, $0.manifestPath) < ($1.identifier, $1.manifestPath) }
  }

  private func app(_ identifier: String?) -> RegistryEntry? {
    guard let identifier else { return nil }
    let all = entries.filter { $0.isApp && $0.identifier == identifier && $0.manifest != nil }
    return all.max { ($0.manifest?.version ?? BundleVersion("0")) < ($1.manifest?.version ?? BundleVersion("0")) }
  }

  private mutating func fail(_ index: Int, _ keyPath: String, _ message: String, _ recovery: String) {
    entries[index].problems.append(
      ManifestProblem(
        .error, file: entries[index].manifestPath, keyPath: keyPath, message, recovery: recovery))
    entries[index].state = .invalid
  }

  /// A loose extension belongs to the app whose identifier is the longest beginning of its own, by whole components.
  private mutating func findContainingApps() {
    let apps = Set(entries.filter { $0.isApp && $0.manifest != nil }.map(\.identifier))
    for index in entries.indices where entries[index].manifest != nil && entries[index].containingApp == nil {
      let identifier = entries[index].identifier
      entries[index].containingApp = apps.filter { identifier.hasPrefix($0 + ".") }.max { $0.count < $1.count }
      guard entries[index].containingApp == nil else { continue }
      fail(
        index, "CFBundleIdentifier", "No containing app is registered whose identifier begins “\(identifier)”.",
        "Add the app's manifest; the extension's identifier is the app's with one or more components added.")
    }
  }

  private mutating func checkAgainstApps() {
    for index in entries.indices where !entries[index].isApp {
      guard let manifest = entries[index].manifest, let app = app(entries[index].containingApp)?.manifest else {
        continue
      }
      for group in manifest.appGroups where !app.appGroups.contains(group) {
        fail(
          index, "Entitlements[\"com.apple.security.application-groups\"]",
          "The containing app \(app.identifier) is not entitled to the group “\(group)”.",
          "Add the group to the app's manifest as well.")
      }
      checkPickerModes(index, manifest)
    }
  }

  /// Open and Move need a file provider extension in the same app (App Extension Programming Guide, Document Provider).
  private mutating func checkPickerModes(_ index: Int, _ manifest: Manifest) {
    guard manifest.point == .documentPicker else { return }
    let modes = manifest.attributes["UIDocumentPickerModes"]?.arrayValue?.compactMap(\.stringValue) ?? []
    guard modes.contains("UIDocumentPickerModeOpen") || modes.contains("UIDocumentPickerModeMoveToService") else {
      return
    }
    let owner = entries[index].containingApp
    guard !entries.contains(where: { $0.containingApp == owner && $0.point == .fileProvider }) else { return }
    fail(
      index, "NSExtension.NSExtensionAttributes.UIDocumentPickerModes",
      "Open and MoveToService need a file provider extension in the same app.",
      "Add a file provider extension, or leave these modes out.")
  }

  private mutating func checkApprovals(_ approvals: [String: Set<String>]) {
    for index in entries.indices where entries[index].isEnabled {
      let asks = entries[index].unapproved(by: approvals)
      if !asks.isEmpty { entries[index].state = .unapproved(asks: asks.sorted()) }
    }
  }

  /// Types that conform to themselves, and parents that nobody declares.
  private mutating func checkTypes() {
    let types = ExtensionRegistry.types(declaredBy: entries)
    for index in entries.indices {
      for declaration in entries[index].manifest?.typeDeclarations ?? [] {
        for parent in declaration.conformsTo {
          if types.conforms(parent, to: declaration.identifier) {
            fail(
              index, "UTTypeConformsTo", "The type \(declaration.identifier) conforms to itself through \(parent).",
              "Leave out one of the conformances of the circle.")
          } else if !types.knows(declared: parent) {
            entries[index].problems.append(
              ManifestProblem(
                .warning, file: entries[index].manifestPath, keyPath: "UTTypeConformsTo",
                "The type \(declaration.identifier) conforms to \(parent), which nobody declares.",
                recovery: "Declare \(parent) as well, or name another type."))
          }
        }
      }
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
      let appName = entries[index].isApp ? nil : app(entries[index].containingApp)?.manifest?.displayName
      let last = entries[index].identifier.split(separator: ".").last.map(String.init)
      entries[index].displayName = appName ?? last ?? entries[index].identifier
    }
  }
}
