import ExtensionHosting
import ExtensionProtocol
import Files
import PropertyList
import PropertyListXML

/// A manifest on its way into a bundle: read, with its settings filled in.
struct BundleManifest {
  let product: String
  let path: String
  let kind: Manifest.Kind
  private(set) var node: PropertyListNode

  /// - Throws: `extensionInvalid` when the file is no property list.
  init(_ part: BundleSource.Part) throws(ExtensionError) {
    product = part.product
    path = part.path
    switch PropertyListReader.read(part.path) {
    case .value(let value): node = value
    case .problems(let problems): throw .bundleProblems("\(part.path) cannot be read.", problems)
    }
    let type = node["CFBundlePackageType"]?.value.stringValue
    kind = type == Manifest.Kind.app.rawValue || node["NSExtension"] == nil ? .app : .appExtension
  }

  /// Fills in the settings.
  ///
  /// - Throws: `extensionInvalid` with a problem for each setting without a value.
  mutating func resolve(_ given: BuildSettings, containingApp: String?) throws(ExtensionError) {
    var given = given
    if containingApp != nil {
      // The identifier that somebody gives is the app's; an extension's begins with it.
      given = BuildSettings(given.values.filter { $0.key != "PRODUCT_BUNDLE_IDENTIFIER" })
    }
    let settings = BuildSettings.usual(product: product, kind: kind, containingApp: containingApp)
    let (resolved, problems) = settings.overridden(by: given).resolve(node, file: path)
    guard problems.isEmpty else {
      let names = Set(problems.compactMap(\.setting)).sorted()
      throw .bundleProblems(
        "\(path) has build settings without a value.", problems,
        recovery: "Give them values: \(names.map { "--set \($0)=VALUE" }.joined(separator: " ")).")
    }
    node = resolved
  }

  func text(_ path: String...) -> String? {
    path.reduce(Optional(node)) { $0?[$1] }?.value.stringValue
  }

  var identifier: String { text("CFBundleIdentifier") ?? "" }
  var executable: String { text("CFBundleExecutable") ?? "" }
  var isScript: Bool { text("Annex", "Interpreter") != nil }

  /// The bytes of `Info.plist`: the executable lies in the bundle's own folder, and no build folder is named.
  func document(executable: String?) throws(ExtensionError) -> [UInt8] {
    guard var value = node.value.dictionaryValue else {
      throw ExtensionError(.extensionInvalid, "\(path) is not a dictionary.")
    }
    if let executable { value["CFBundleExecutable"] = .string(executable) }
    if var annex = value["Annex"]?.dictionaryValue {
      annex["Products"] = nil
      value["Annex"] = annex.isEmpty ? nil : .dictionary(annex)
    }
    guard let text = XMLPropertyListWriter.document(.dictionary(value)) else {
      throw ExtensionError(
        .extensionInvalid, "\(path) has a text with control characters, or a number that is none.",
        recovery: "Take it out.")
    }
    return Array(text.utf8)
  }
}

extension ExtensionError {
  /// Problems of manifests as one error; each is among the causes.
  static func bundleProblems(
    _ message: String, _ problems: [ManifestProblem], recovery: String? = nil
  ) -> ExtensionError {
    ExtensionError(
      .extensionInvalid, message, recovery: recovery ?? problems.first?.recovery, cause: problems.map(\.description))
  }
}
