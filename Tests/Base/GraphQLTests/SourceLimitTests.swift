import GraphQL
import Testing

/// What a text may cost by default.
@Suite(.timeLimit(.minutes(1))) struct `The bounds of GraphQL by default` {
  @Test func `are low for a peer's document`() {
    let limits = GraphQLLimits()
    #expect(limits.bytes == 1_048_576 && limits.tokens == 100_000 && limits.depth == 64)
    #expect(limits.definitions == 1_000 && limits.fields == 20_000)
    #expect(limits.steps == 1_000_000 && limits.errors == 100)
  }

  @Test func `are high for what a developer wrote`() {
    let limits = GraphQLLimits.sources
    #expect(limits.bytes == 67_108_864 && limits.tokens == 8_000_000 && limits.depth == 64)
    #expect(limits.definitions == 10_000 && limits.fields == 200_000)
    #expect(limits.steps == 1_000_000 && limits.errors == 100)
  }
}
