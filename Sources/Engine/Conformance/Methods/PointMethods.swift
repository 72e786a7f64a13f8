package import ExtensionHosting
package import ExtensionProtocol
import JSONSchema

/// The methods that a host calls at one extension point, with their schemas, from the definition or from the file that
/// announces the point.
package struct PointMethods: Sendable {
  /// One method.
  struct Method: Sendable {
    let schema: MethodSchema
    let schemas: MethodSchemas
    /// Whether an extension may do without it.
    let isOptional: Bool
    /// Whether its params belong to a request of a user's that has to be open.
    let isRequestScoped: Bool
    /// The version of the point that it came with.
    let since: PointVersion

    var name: String { schema.method }
    var example: SchemaExample { SchemaExample(schemas.definitions) }
  }

  /// In the order of the definition's own methods, then of those that other services have at the point.
  let methods: [Method]

  /// Collects the methods of a point.
  ///
  /// - Parameters:
  ///   - definition: the point.
  ///   - announced: the property list that announces the point; `nil` for a point that is built into this program.
  /// - Throws: `internalError` when the schema of a type cannot be derived from its decoding.
  package init(of definition: ExtensionPointDefinition, announced: AnnouncedPoint? = nil) throws(ExtensionError) {
    let own = if let announced { announced.schemas } else { try MethodSchemas(calls: definition.calls, methods: []) }
    let common = definition.commonCalls.flatMap { $0.calls }
    let calls = Dictionary(
      (definition.calls + common).map { ($0.method, $0) }, uniquingKeysWith: { first, _ in first })
    var methods: [Method] = []
    let others = try MethodSchemas(calls: common, methods: [])
    for (schemas, isCommon) in [(own, false), (others, true)] {
      for schema in schemas.methods where schema.caller != .extension {
        methods.append(
          Method(
            schema: schema, schemas: schemas, isOptional: isCommon || schema.isOptional,
            isRequestScoped: calls[schema.method]?.request is any RequestScoped.Type,
            since: isCommon ? definition.oldest : definition.version(of: schema.call)))
      }
    }
    self.methods = methods
  }
}
