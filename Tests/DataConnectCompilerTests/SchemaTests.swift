import DataConnectCompiler
import GraphQL
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `The compiler of schemas` {
  @Test func `compiles`() {
    let result = SchemaCompiler.compile([GraphQLSource("type Film @table { title: String! }", name: "schema.gql")])
    #expect(result.problems.map(\.description) == [])
    for file in result.schema?.expansionFiles ?? [] { print("// \(file.path)\n\(file.path == "prelude.gql" ? "" : file.text)") }
  }
}
