package import GraphQL

/// Compiles the files of a schema.
package enum SchemaCompiler {
  /// The result of compiling a schema.
  package struct Result: Sendable {
    /// The compiled schema; `nil` when a problem is an error.
    package let schema: CompiledSchema?
    /// The problems, in the order of the files and of the places in them.
    package let problems: [CompilerProblem]
  }

  /// Compiles the files of a schema.
  ///
  /// - Parameter sources: the files, sorted by name; problems refer to them by these names.
  package static func compile(_ sources: [GraphQLSource]) -> Result {
    let parsed = GraphQLParser.read(sources.allowingNothing, limits: .sources)
    var builder = SchemaBuilder(parsed.document)
    builder.problems.add(parsed.errors)
    // What a mistake in the text hides would be reported as missing.
    if !parsed.errors.isEmpty { return Result(schema: nil, problems: builder.problems.sorted) }
    builder.build()
    var later: [GraphQLError] = []
    if !builder.problems.hasErrors {
      do throws(GraphQLErrors) {
        return Result(schema: try expand(builder, sources), problems: builder.problems.sorted)
      } catch {
        later = error.errors
      }
    }
    // Without what is generated, GraphQL's rules tell what the developer has written wrong and nothing that follows.
    do throws(GraphQLErrors) {
      _ = try GraphQLSchema([Prelude.source] + sources, scalars: Scalars.all)
    } catch {
      builder.problems.add(error.errors.map(\.withoutPrelude))
    }
    if !builder.problems.hasErrors { builder.problems.add(later) }
    return Result(schema: nil, problems: builder.problems.sorted)
  }

  private static func expand(
    _ builder: SchemaBuilder, _ sources: [GraphQLSource]
  ) throws(GraphQLErrors) -> CompiledSchema {
    let tables = builder.tables
    let enumerations = builder.enumerations.values.sorted(byName: \.name)
    let expansion = Expansion(tables: tables, enumerations: enumerations)
    let generated = GraphQLSource(expansion.bareText, name: "generated.gql")
    let schema = try GraphQLSchema([Prelude.source] + sources + [generated], scalars: Scalars.all)
    return CompiledSchema(tables: tables, enumerations: enumerations, graphQL: schema, sources: sources)
  }
}

extension [GraphQLSource] {
  /// With empty texts behind them: that one alone defines nothing would be an error.
  var allowingNothing: [GraphQLSource] { self + [GraphQLSource("", name: ""), GraphQLSource("", name: "")] }
}

extension GraphQLError {
  /// With the places that a developer can do something about first.
  fileprivate var withoutPrelude: GraphQLError {
    var error = self
    error.locations = locations.filter { $0.file != Prelude.source.name }
    if error.locations.isEmpty { error.locations = locations }
    return error
  }
}
