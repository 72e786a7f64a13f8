/// Limits of a document, which may come from an attacker.
///
/// Every recursion counts against ``depth``, so that no document can exhaust a stack.
package struct GraphQLLimits: Sendable, Hashable {
  /// The length of all sources together, in bytes.
  package var bytes: Int
  /// The number of tokens of all sources together, comments not counted.
  package var tokens: Int
  /// How deep selections, values and types may be nested, at most ``deepest``. Fields count through fragments too.
  package var depth: Int {
    didSet { depth = min(depth, Self.deepest) }
  }
  /// The number of operations and fragments of one document that is checked.
  package var definitions: Int
  /// The largest number of fields in an operation, counted after each fragment spread has been replaced by its fields.
  package var fields: Int
  /// How many fields are resolved and values completed in one execution, and how many values of input are coerced.
  package var steps: Int
  /// How many errors are reported; the work ends behind the last one.
  package var errors: Int

  /// What a stack of 2 MiB holds, in debug builds too; threads have 8 MiB.
  package static let deepest = 200

  /// Limits for a document of a peer.
  package init(
    bytes: Int = 1 << 20, tokens: Int = 100_000, depth: Int = 64, definitions: Int = 1_000, fields: Int = 20_000,
    steps: Int = 1_000_000, errors: Int = 100
  ) {
    self.bytes = min(bytes, Int(Int32.max))
    self.tokens = tokens
    self.depth = min(depth, Self.deepest)
    self.definitions = definitions
    self.fields = fields
    self.steps = steps
    self.errors = max(1, errors)
  }

  /// Limits for schemas and operations that a developer wrote or a compiler made.
  package static let sources = GraphQLLimits(
    bytes: 64 << 20, tokens: 8_000_000, depth: 64, definitions: 10_000, fields: 200_000)
}
