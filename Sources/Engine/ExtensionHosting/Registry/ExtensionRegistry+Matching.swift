package import Activation
package import ExtensionProtocol
import Synchronization

/// The extensions that accept the items that a user wants to share or act on.
extension ExtensionRegistry {
  /// The system's types and those that usable manifests declare.
  package var types: TypeGraph { graph.value { Self.types(declaredBy: entries.filter(\.isEnabled)) } }

  /// Whether a uniform type identifier conforms to another: the system's types and those that usable manifests declare.
  public func type(_ type: String, conformsTo other: String) -> Bool { types.conforms(type, to: other) }

  /// The uniform type identifier of a file, by the ending of its name.
  public func type(forFileNamed name: String) -> String { types.type(forFileNamed: name) }

  static func types(declaredBy entries: [RegistryEntry]) -> TypeGraph {
    let declared = entries.flatMap { $0.manifest?.typeDeclarations ?? [] }
    if declared.isEmpty { return .standard }
    return TypeGraph.standard.adding(
      declared.map {
        TypeGraph.Declaration(
          identifier: $0.identifier, conformsTo: $0.conformsTo, filenameExtensions: $0.filenameExtensions,
          mimeTypes: $0.mimeTypes)
      })
  }

  /// Compares items with the rule of every usable extension at some points, in the order of identifiers. Extensions
  /// that are not offered are in the result too, with the reasons.
  ///
  /// - Parameter points: the points; when absent, all points whose extensions take items.
  package func matches(
    _ items: [ActivationItem], at points: [ExtensionPoint]? = nil, cache: ActivationCache? = nil
  ) -> [(entry: RegistryEntry, match: ActivationMatch)] {
    let types = types
    let points = points ?? self.points.pointsTakingItems
    return extensions.compactMap { entry in
      guard let point = entry.point, points.contains(point), let rule = entry.activationRule else { return nil }
      return (entry, cache?.match(rule, items, in: types) ?? rule.match(items, in: types))
    }
  }
}

/// The types of a registry, made when they are first asked for: most commands never ask.
final class KnownTypes: Sendable {
  private let known = Mutex<TypeGraph?>(nil)

  func value(_ make: () -> TypeGraph) -> TypeGraph {
    known.withLock { known in
      if let known { return known }
      let made = make()
      known = made
      return made
    }
  }
}
