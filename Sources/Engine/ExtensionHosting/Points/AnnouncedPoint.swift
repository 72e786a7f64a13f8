public import ExtensionProtocol
import JSONSchema

/// An extension point as a property list announces it to programs that were not compiled with it: its definition, with the
/// schemas of its methods in the place of types.
///
/// An embedder writes the list from the compiled definition, beside its manifests or into its bundle, and tools read it:
///
/// ```swift
/// let announced = try AnnouncedPoint(Renderer.self)
/// try announced.propertyListText().write(toFile: "Points/renderer.appextensionpoint", …)
/// ```
public struct AnnouncedPoint: Sendable {
  /// The ending of the files.
  public static let fileEnding = ".appextensionpoint"

  /// What there is to know of the point; without types, where it was read from a file.
  public let definition: ExtensionPointDefinition
  /// The point's own methods, in both directions.
  public let schemas: MethodSchemas
  /// The file that it was read from.
  public let file: String?

  init(_ definition: ExtensionPointDefinition, _ schemas: MethodSchemas, file: String?) {
    self.definition = definition
    self.schemas = schemas
    self.file = file
  }

  /// Creates an announcement of a point that this program defines.
  ///
  /// - Throws: `internalError` when the schema of a type cannot be derived from its decoding.
  public init(_ point: any PointContract.Type) throws(ExtensionError) {
    try self.init(compiled: point.definition, contracts: point.definition.services ?? [])
  }

  /// Creates an announcement of a definition of this program.
  ///
  /// - Parameter contracts: the contracts that include those of the point's own services.
  /// - Throws: as ``init(_:)``.
  public init(
    compiled definition: ExtensionPointDefinition, contracts: [any ServiceContract.Type]
  ) throws(ExtensionError) {
    let own = contracts.filter { contract in
      contract.name == definition.prefix || contract.points.contains { $0.point == definition.point }
    }
    let calls = definition.calls + own.filter { $0.name == definition.prefix }.flatMap { $0.calls }
    self.init(definition, try MethodSchemas(calls: calls, methods: own.flatMap { $0.methods }), file: nil)
  }
}

extension ExtensionLimits {
  /// The most that an announced point can give its extensions, whatever its file says: what the points of this package
  /// give at most.
  static let announced = ExtensionLimits(memoryMiB: 256)
}
