import CommandRuntime
import ExtensionHosting
import ExtensionProtocol
import HostServices
import JSON

/// An extension point that this tool knows, and where from.
struct KnownPoint {
  let definition: ExtensionPointDefinition
  /// What a property list says of it; `nil` for a point that the tool was built with.
  let announced: AnnouncedPoint?
  /// The identifiers of its extensions that can be used.
  let extensions: [String]

  /// The file, or that there is none.
  var source: String { announced?.file ?? "built-in" }

  /// Every point, the table of them, and what is wrong with the files.
  static func all(
    _ invocation: Invocation
  ) throws -> (points: [KnownPoint], table: ExtensionPointTable, problems: [ManifestProblem]) {
    let (registry, announced) = try invocation.survey()
    let points = registry.points.definitions.map { definition in
      KnownPoint(
        definition: definition, announced: announced[definition.point],
        extensions: registry.extensions(at: definition.point).map(\.identifier))
    }
    return (points, registry.points, announced.problems)
  }

  /// The point in the form of a property list.
  func announcement() throws(ExtensionError) -> AnnouncedPoint {
    if let announced { return announced }
    return try AnnouncedPoint(compiled: definition, contracts: Features.contracts)
  }

  /// The point's own methods, and those that the host calls at any point where it passes what they are about.
  func schemas() throws(ExtensionError) -> [MethodSchemas] {
    [
      try announcement().schemas,
      try MethodSchemas(calls: definition.commonCalls.flatMap { $0.calls }, methods: []),
    ]
  }

  /// `{name, identifier, version, from, extensions[]}`
  var document: JSONObject {
    [
      "name": .string(definition.shortName), "identifier": .string(definition.point.rawValue),
      "version": .string(definition.version.description), "from": .string(source),
      "extensions": .array(extensions.map { .string($0) }),
    ]
  }
}
