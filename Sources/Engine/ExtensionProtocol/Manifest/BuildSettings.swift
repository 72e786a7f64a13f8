public import PropertyList
import Text

/// Values for the build settings in the texts of a manifest: `$(PRODUCT_NAME)`, `${PRODUCT_NAME}`, and with operators
/// `$(PRODUCT_NAME:rfc1034identifier)`.
///
/// Manifests of source trees have them, and what builds a bundle fills them in. A value may have settings of its own. The
/// operators are `rfc1034identifier`, `c99extidentifier`, `identifier`, `lower`, `upper`, `file`, `base`, `dir`, `suffix`
/// and `default=VALUE`.
public struct BuildSettings: Sendable, Hashable {
  /// The values by name; each may have settings itself.
  public private(set) var values: [String: String]

  /// The greatest depth of values that refer to other settings.
  private static let maximumDepth = 16
  /// How many settings are filled in for one manifest; how long a text may become.
  private static let (maximumCount, maximumLength) = (10_000, 65_536)

  /// Settings with their values; names that are none are left out.
  public init(_ values: [String: String] = [:]) { self.values = values.filter { BuildSettingText.isName($0.key) } }

  /// Returns the settings that follow from the name of a bundle: `PRODUCT_NAME` and its derived settings, and the
  /// identifier of an extension, which is its app's with the product's name added.
  ///
  /// - Parameters:
  ///   - product: the bundle's name without its ending: `Clock` of `Clock.appex`.
  ///   - kind: the kind of the bundle.
  ///   - app: the identifier of the containing app; without it an extension gets no identifier.
  public static func usual(product: String, kind: Manifest.Kind, containingApp app: String? = nil) -> BuildSettings {
    let ending = kind == .app ? "app" : "appex"
    var settings = BuildSettings([
      "TARGET_NAME": product, "PRODUCT_NAME": "$(TARGET_NAME)", "EXECUTABLE_NAME": "$(PRODUCT_NAME)",
      "EXECUTABLE_PATH": "$(EXECUTABLE_NAME)", "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)",
      "PRODUCT_BUNDLE_PACKAGE_TYPE": kind.rawValue, "WRAPPER_EXTENSION": ending,
      "WRAPPER_NAME": "$(PRODUCT_NAME).\(ending)", "FULL_PRODUCT_NAME": "$(WRAPPER_NAME)",
      "CURRENT_PROJECT_VERSION": "1", "MARKETING_VERSION": "1.0", "DEVELOPMENT_LANGUAGE": "en",
      "AppIdentifierPrefix": "", "TeamIdentifierPrefix": "",
    ])
    if kind == .appExtension, let app {
      settings.values["PRODUCT_BUNDLE_IDENTIFIER"] = "\(app).$(PRODUCT_NAME:rfc1034identifier)"
    }
    return settings
  }

  /// Takes `NAME=VALUE`.
  ///
  /// - Returns: whether the text is of this form.
  public mutating func set(_ assignment: String) -> Bool {
    guard let pair = assignment.cut(at: "="), BuildSettingText.isName(pair.before) else { return false }
    values[String(pair.before)] = String(pair.behind)
    return true
  }

  /// Returns these settings together with others; the others win where both have a value.
  public func overridden(by others: BuildSettings) -> BuildSettings {
    BuildSettings(values.merging(others.values) { _, other in other })
  }

  // MARK: Filling in

  /// Returns a manifest with its settings replaced by their values.
  ///
  /// - Returns: the manifest, and a problem for each setting without a value or with a value that contains itself; such
  ///   texts stay unchanged.
  public func resolve(_ manifest: PropertyListValue) -> (manifest: PropertyListValue, problems: [ManifestProblem]) {
    let (node, problems) = resolve(PropertyListNode(manifest), file: nil)
    return (node.value, problems)
  }

  /// A manifest with its settings filled in; lines are kept.
  ///
  /// - Parameter file: the path that problems name.
  package func resolve(
    _ node: PropertyListNode, file: String?
  ) -> (node: PropertyListNode, problems: [ManifestProblem]) {
    var places = BuildSettingPlaces()
    var left = Self.maximumCount
    let resolved = resolve(node, .root, &places, &left)
    return (resolved, places.problems(in: node, file: file) { _ in .error })
  }

  private func resolve(
    _ node: PropertyListNode, _ path: PropertyListKeyPath, _ places: inout BuildSettingPlaces, _ left: inout Int
  ) -> PropertyListNode {
    switch node.content {
    case .array(let elements):
      let resolved = elements.enumerated().map { resolve($0.element, path.appending($0.offset), &places, &left) }
      return PropertyListNode(.array(resolved), line: node.line)
    case .dictionary(let entries):
      let resolved = entries.map { entry in
        PropertyListNode.Entry(entry.key, resolve(entry.node, path.appending(entry.key), &places, &left))
      }
      return PropertyListNode(.dictionary(resolved), line: node.line)
    case .scalar(.string(let text)) where BuildSettingText.mayHaveSettings(text):
      var missing: [String] = []
      let filled = fill(text, depth: 0, &missing, &left)
      guard missing.isEmpty else {
        for name in missing { places.add(name, text, at: path) }
        return node
      }
      return PropertyListNode(.scalar(.string(filled)), line: node.line)
    case .scalar: return node
    }
  }

  private func fill(_ text: String, depth: Int, _ missing: inout [String], _ left: inout Int) -> String {
    var filled = ""
    for piece in BuildSettingText.pieces(of: text) {
      switch piece {
      case .plain(let plain): filled += plain
      case .setting(let inner):
        left -= 1
        guard left > 0, depth < Self.maximumDepth, filled.utf8.count < Self.maximumLength else {
          missing.append(BuildSettingText.name(of: inner))
          return filled
        }
        let known = missing.count
        let contents = BuildSettingText.mayHaveSettings(inner) ? fill(inner, depth: depth + 1, &missing, &left) : inner
        guard missing.count == known else { continue }
        let setting = BuildSettingText.Setting(contents)
        if let value = setting.map({ values[$0.name] ?? $0.standard }), let value, let setting {
          filled += setting.apply(to: fill(value, depth: depth + 1, &missing, &left))
        } else {
          missing.append(BuildSettingText.name(of: contents))
        }
      }
    }
    return filled
  }
}
