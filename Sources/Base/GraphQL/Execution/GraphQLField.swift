package import JSON

/// A field of an execution, with everything a resolver may want to know, also what is selected below it.
package final class GraphQLField: Sendable {
  /// The type that it is a field of.
  package let parent: SchemaType
  /// The field's definition in the schema.
  package let definition: FieldDefinitionNode
  /// The nodes of the document that share this field's response name; at least one.
  package let nodes: [FieldNode]
  /// The arguments as values of their types, defaults put in. An argument or input field that was given a variable
  /// without a value is absent, as are those without default that were not given.
  package let arguments: JSONObject
  /// The error in the arguments, or nil. A field with such an error is not resolved.
  package let fault: GraphQLError?
  /// The request that selects the field.
  package let request: GraphQLRequest
  /// The directives that it has in the document, other than `@skip` and `@include`.
  package let directives: [Directive]

  /// A directive of a field in the document, its arguments as values of their types.
  package struct Directive: Sendable, Hashable {
    /// The name without `@`.
    package let name: String
    /// The arguments, coerced to their types.
    package let arguments: JSONObject

    /// Creates a directive from coerced arguments.
    package init(name: String, arguments: JSONObject) {
      self.name = name
      self.arguments = arguments
    }
  }

  init(_ nodes: [FieldNode], _ definition: FieldDefinitionNode, _ parent: SchemaType, _ request: GraphQLRequest) {
    self.parent = parent
    self.definition = definition
    self.nodes = nodes
    self.request = request
    var (arguments, directives): (JSONObject, [Directive]) = ([:], [])
    var fault: GraphQLError?
    do throws(GraphQLError) {
      arguments = try InputCoercion.arguments(
        nodes.first?.arguments ?? [], definition.arguments, request.schema, variables: request.variables)
      directives = try request.directives(nodes.flatMap(\.directives))
    } catch {
      fault = error
    }
    (self.arguments, self.directives, self.fault) = (arguments, directives, fault)
  }

  /// The name of its definition.
  package var name: String { definition.name.text }
  /// The name that it has in the response.
  package var responseName: String { nodes.first?.responseName ?? name }
  /// The type of the field's value.
  package var type: TypeNode { definition.type }
  /// The places of the field's nodes in the document.
  package var locations: [SourceLocation] {
    nodes.prefix(8).compactMap { request.document.sources.location(of: $0.position) }
  }

  /// What is selected below it of objects of a type: fragments put in, `@skip` and `@include` obeyed.
  ///
  /// - Parameter type: an object's type; without, the field's own.
  package func selection(of type: SchemaType? = nil) -> [GraphQLField] {
    guard let type = type ?? request.schema.type(definition.type.name.text) else { return [] }
    return request.fields(nodes.map(\.selections), of: type)
  }
}
