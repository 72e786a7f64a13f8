import Testing

/// A project that tests generate from.
struct Example: Sendable, CustomTestStringConvertible {
  let operations: String
  let schema: String
  let sdk: [String]

  init(_ operations: String, schema: String = Project.movies, sdk: [String] = []) {
    self.operations = operations
    self.schema = schema
    self.sdk = sdk
  }

  var testDescription: String { String(operations.prefix(40)) }

  /// Every kind of value, and names that Swift has itself.
  static let kinds = Example(
    """
    query Everything($mood: Mood, $moods: [Mood!], $key: Thing_Key!, $any: Any, $date: Date!, $at: Timestamp,
      $float: Float! = 1, $yes: Boolean, $default: String, $self: String!, $in: [Int!], $fetchPolicy: Int64,
      $variables: String, $dataConnect: String!) @auth(level: PUBLIC) {
      thing(key: $key) {
        mood number moods any date at float yes vector default in protocol self init Type _count float_sum number_max
      }
      things(where: {_and: [
        {mood: {eq: $mood}}, {mood: {in: $moods}}, {any: {eq: $any}}, {date: {eq: $date}}, {at: {eq: $at}},
        {float: {eq: $float}}, {yes: {eq: $yes}}, {default: {eq: $default}}, {self: {eq: $self}}, {in: {in: $in}},
        {number: {eq: $fetchPolicy}}, {protocol: {eq: $variables}}, {protocol: {eq: $dataConnect}}
      ]}) { mood @include(if: true) number }
      other: things_vector_similarity(compare: [1, 2, 3]) { _metadata { distance } moods }
    }
    query optional($optionalVars: Int) @auth(level: PUBLIC) { things(limit: $optionalVars) { mood number } }
    """,
    schema: """
      "How one feels.\\nTwo lines"
      enum Mood { DULL BRIGHT default self init rawValue allCases }
      type Thing @table(key: ["mood", "number"]) {
        mood: Mood! number: Int64! moods: [Mood!]! any: Any date: Date at: Timestamp float: Float yes: Boolean vector: Vector @col(size: 3)
        default: String in: Int protocol: String self: String init: Int Type: Int
      }
      """)

  /// Lines that have to be broken.
  static let long = Example(
    """
    query everythingThatSomebodyWantsToKnow(
      $theFirstOfAllTheNamesThatMayBeThere: String!, $theSecondOfAllTheNamesThatMayBeThere: String!,
      $theThirdOfAllTheNamesThatNeedNotBeGiven: String
    ) @auth(level: PUBLIC) {
      everythingThatIsAnywheres(where: {_or: [
        {title: {eq: $theFirstOfAllTheNamesThatMayBeThere}}, {title: {eq: $theSecondOfAllTheNamesThatMayBeThere}},
        {title: {eq: $theThirdOfAllTheNamesThatNeedNotBeGiven}}
      ]}) { theFirstPartOfTheKeyOfEverything theSecondPartOfTheKeyOfEverything level }
    }
    """,
    schema: """
      enum Level { AAAAAAAAAAAAAAAAAA BBBBBBBBBBBBBBBBBBBBB CCCCCCCCCCCCCCCCCCCCCCC DDDDDDDDDDDDDDDDDDDDDD EEEEEEEEEEEEEE }
      type EverythingThatIsAnywhere
        @table(key: ["theFirstPartOfTheKeyOfEverything", "theSecondPartOfTheKeyOfEverything"]) {
        theFirstPartOfTheKeyOfEverything: String!
        theSecondPartOfTheKeyOfEverything: String!
        title: String
        level: Level
      }
      """)
}
