import Activation
import ExtensionProtocol
import PropertyList

/// A manifest read from a file and checked, its activation rule included.
struct ManifestFile {
  let validation: ManifestValidation
  let rule: ActivationRule?
  /// The contents of the file; `nil` when it is not a property list.
  let node: PropertyListNode?

  private static let rulePath = PropertyListKeyPath(
    "NSExtension", "NSExtensionAttributes", "NSExtensionActivationRule")

  /// Reads a file.
  ///
  /// - Parameter isAppBundle: whether the file belongs to an app's bundle, for files that cannot be parsed at all.
  init(_ path: String, isAppBundle: Bool, points: ExtensionPointTable) {
    switch PropertyListReader.read(path) {
    case .problems(let problems): self.init(problems: problems, path: path, isAppBundle: isAppBundle)
    case .value(let node): self.init(node, path: path, points: points)
    }
  }

  private init(problems: [ManifestProblem], path: String, isAppBundle: Bool) {
    let names = ManifestRemains(path)
    validation = ManifestValidation(
      manifest: nil,
      problems: problems.map {
        ManifestProblem(
          $0.severity, file: $0.file, line: $0.line, "The manifest cannot be read. \($0.message)", recovery: $0.recovery
        )
      }, identifier: names.identifier, point: isAppBundle ? .containingApp : names.point)
    rule = nil
    node = nil
  }

  /// Checks the contents of a file.
  ///
  /// - Parameter path: the path of the file, for problems.
  init(_ node: PropertyListNode, path: String, points: ExtensionPointTable) {
    self.node = node
    let checked = ManifestValidation(node, file: path, points: points)
    let value = node.node(at: Self.rulePath)?.value
    let isRule = value?.stringValue != nil || value?.dictionaryValue != nil
    guard let value, isRule, checked.point != .containingApp else {
      validation = checked
      rule = nil
      return
    }
    let (compiled, found) = ActivationRule.compile(value)
    let problems = found.map { Self.problem($0, node, path) }
    let isUsable = compiled != nil
    validation = ManifestValidation(
      manifest: isUsable ? checked.manifest : nil, problems: checked.problems + problems,
      identifier: checked.identifier, point: checked.point)
    rule = compiled
  }

  private static func problem(_ problem: ActivationRule.Problem, _ node: PropertyListNode, _ file: String)
    -> ManifestProblem
  {
    let path = problem.key.map { rulePath.appending($0) } ?? rulePath
    return ManifestProblem(
      problem.isWarning ? .warning : .error, file: file, line: node.line(nearest: path), keyPath: path.description,
      problem.message, recovery: problem.recovery)
  }
}
