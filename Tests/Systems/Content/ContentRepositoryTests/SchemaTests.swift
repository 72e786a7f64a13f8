import ContentRepository
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The schema of models` {
  @Test func `has a type and a filter for each model`() throws {
    let text = try #require(Samples.state?.schemaText(configuration: "demo"))
    let helpers = """
        _id: ID
        _path: ID
        _locale: String
        _variation: String
        _variations: [String]
        _tags: [String]
        _model: ModelInfo
        _metadata: TypedMetaData
        _references: [Reference]
      """
    let filters = """
        _logOp: LogOp
        _id: IDFilter
        _path: IDFilter
        _locale: StringFilter
        _variation: StringFilter
        _variations: StringArrayFilter
        _tags: StringArrayFilter
      """
    #expect(
      text.contains(
        """

        "City"
        type CityModel {
        \(helpers)
          name: String
          country: String
          population: Int
          rating: Float
          founded: Date
          opens: Time
          visited: Calendar
          isCapital: Boolean
          stars: Long
          categories: [String]
          scores: [Int]
          words: MultiFormatString
          notes: [MultiFormatString]
          data: Json
          picture: Reference
          photo: ImageRef
          files: [Reference]
        }

        """))
    #expect(
      text.contains(
        """

        input CityModelFilter {
        \(filters)
          name: StringFilter
          country: StringFilter
          population: IntFilter
          rating: FloatFilter
          founded: DateFilter
          opens: TimeFilter
          visited: CalendarFilter
          isCapital: BooleanFilter
          stars: LongFilter
          categories: StringArrayFilter
          scores: IntArrayFilter
          words: MultiFormatStringFilter
          notes: MultiFormatStringArrayFilter
        }

        input CityModelArrayFilter {
          _apply: ArrayMode
          _instances: Int
          _match: CityModelFilter
        }

        """))
    #expect(
      text.contains(
        """
          name: String
          firstName: String
          awards: [AwardModel]
          friend: PersonModel
          likes: [AllFragmentModels]
        }

        """))
    #expect(
      text.contains(
        """
          name: StringFilter
          firstName: StringFilter
          awards: AwardModelArrayFilter
          friend: PersonModelFilter
        }

        """))
    #expect(text.contains("\nunion AllFragmentModels = AwardModel | CityModel | CompanyModel | PersonModel\n"))
    #expect(
      text.contains(
        "\nunion Reference = ImageRef | MultimediaRef | DocumentRef | ArchiveRef | PageRef | AwardModel | CityModel | "
          + "CompanyModel | PersonModel\n"))
  }

  @Test(arguments: [
    ("String", "EQUALS EQUALS_NOT CONTAINS CONTAINS_NOT STARTS_WITH", "_ignoreCase: Boolean"),
    ("ID", "EQUALS EQUALS_NOT STARTS_WITH", ""),
    ("Int", "EQUAL UNEQUAL GREATER GREATER_EQUAL LOWER LOWER_EQUAL", ""),
    ("Long", "EQUAL UNEQUAL GREATER GREATER_EQUAL LOWER LOWER_EQUAL", ""),
    ("Float", "EQUAL UNEQUAL GREATER GREATER_EQUAL LOWER LOWER_EQUAL", "_sensitiveness: Float"),
    ("Boolean", "EQUALS", ""), ("Calendar", "AT NOT_AT BEFORE AT_OR_BEFORE AFTER AT_OR_AFTER", ""),
    ("Date", "AT NOT_AT BEFORE AT_OR_BEFORE AFTER AT_OR_AFTER", ""),
    ("Time", "AT NOT_AT BEFORE AT_OR_BEFORE AFTER AT_OR_AFTER", ""),
  ])
  func `has the operators of each scalar`(type: String, operators: String, option: String) throws {
    let text = try #require(Samples.state?.schemaText(configuration: "demo"))
    let more = option.isEmpty ? "" : "  \(option)\n"
    #expect(text.contains("enum \(type)Operator { \(operators) }\n"))
    #expect(
      text.contains(
        "input \(type)Filter {\n  _logOp: LogOp\n  _expressions: [\(type)FilterExpression]!\n}\n"))
    #expect(
      text.contains(
        "input \(type)FilterExpression {\n  value: \(type)\n  _operator: \(type)Operator\n\(more)}\n"))
    #expect(
      text.contains(
        "input \(type)ArrayFilter {\n  _logOp: LogOp\n  _expressions: [\(type)ArrayFilterExpression]!\n}\n"))
    #expect(
      text.contains(
        "input \(type)ArrayFilterExpression {\n  value: \(type)\n  values: [\(type)]\n  _operator: \(type)Operator\n"
          + "  _apply: ArrayMode\n  _instances: Int\n\(more)}\n"))
  }

  @Test(arguments: [
    (#""description": "All \"of\" it \\ here""#, "\"All of it  here\"\n"),
    (#""description": "One\nline""#, "\"One\u{FFFD}line\"\n"),
    (#""title": "T""#, "\"T\"\n"), (#""title": "T", "description": "D""#, "\"D\"\n"),
    (#""title": "T", "description": """#, ""), (#""title": """#, ""), (#""title": null"#, "\"thing\"\n"),
  ])
  func `says what a model is`(members: String, words: String) throws {
    let state = try Samples.state([
      "models/s/thing.json": #"{\#(members), "fields": [{"name": "a", "type": "text"}]}"#
    ])
    let text = try #require(state.schemaText(configuration: nil))
    #expect(text.contains("}\n\n\(words)type ThingModel {\n"))
  }
}
