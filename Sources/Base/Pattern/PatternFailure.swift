/// Why a text is not a pattern of a dialect. Who asked for the pattern puts it into words.
package enum PatternFailure: Error, Sendable, Hashable {
  /// The pattern has more instructions than its limit, or a repetition of more times than a pattern can have.
  case tooLarge
  /// Groups are nested too deep.
  case tooDeep
  /// A `)` closes no group.
  case unopenedGroup
  /// A `(` is not closed.
  case unclosedGroup
  /// A `(?` begins something else than the dialect has.
  case unknownGroup
  /// A `[` is not closed.
  case unclosedClass
  /// A `[` stands inside of `[…]`, where the dialect has none.
  case nestedClass
  /// A range in `[…]` ends before it begins, or with several characters.
  case invalidRange
  /// A class such as `\D` stands in `[…]`.
  case negatedClass(Unicode.Scalar)
  /// This sign of a repetition follows nothing.
  case nothingToRepeat(Unicode.Scalar)
  /// This sign of a repetition follows another repetition.
  case repeatedTwice(Unicode.Scalar)
  /// A `{` does not begin a number of repetitions.
  case noCount
  /// The bounds of `{n,m}` are too large, or the wrong way round.
  case invalidBounds
  /// The pattern ends with a backslash.
  case unfinishedEscape
  /// A backslash gives this character no meaning.
  case unknownEscape(Unicode.Scalar)
  /// This character has a meaning elsewhere only.
  case misplaced(Unicode.Scalar)
}
