extension Prelude {
  /// Full-text search.
  static let search = """
    "Lets the words in a column be searched."
    directive @searchable(
      "The language of the words."
      language: String = "english"
    ) on FIELD_DEFINITION

    extend type _Metadata {
      "How well a row fits what was searched; null outside of a search."
      relevance: Float
    }

    enum Search_QueryFormat @fdc_forbiddenAsFieldType {
      "As in search engines: quotes, AND, OR."
      QUERY
      "All words."
      PLAIN
      "The words in this order."
      PHRASE
      "Everything that PostgreSQL's tsquery has."
      ADVANCED
    }
    """

  /// The directives that mark the origin of generated definitions and their permitted use.
  static let generation = """
    "A type, or a type and a field: `Movie.title`."
    scalar SchemaCoordinate
      @specifiedBy(url: "https://github.com/graphql/graphql-wg/blob/6d02705dea034fb65ebc6799632adb7bd550d0aa/rfcs/SchemaCoordinates.md")
      @fdc_forbiddenAsFieldType
      @fdc_forbiddenAsVariableType

    "What a generated definition is for."
    enum GeneratedPurpose @fdc_forbiddenAsVariableType @fdc_forbiddenAsFieldType {
      IMPLICIT_KEY_FIELD
      IMPLICIT_REF_FIELD
      METADATA_FIELD
      ENTITY_ID
      QUERY_MULTIPLE_ONE_TO_MANY
      QUERY_SINGLE_ONE_TO_ONE
      QUERY_MULTIPLE_MANY_TO_MANY
      QUERY_COUNT
      QUERY_SUM
      QUERY_AVG
      QUERY_MIN
      QUERY_MAX
      QUERY_MULTIPLE_BY_FULL_TEXT_SEARCH
      QUERY_SINGLE
      QUERY_MULTIPLE
      QUERY_MULTIPLE_BY_SIMILARITY
      INSERT_SINGLE
      INSERT_MULTIPLE
      UPSERT_SINGLE
      UPSERT_MULTIPLE
      UPDATE_SINGLE
      UPDATE_MULTIPLE
      DELETE_SINGLE
      DELETE_MULTIPLE
    }

    "Marks what was generated."
    directive @fdc_generated(
      "What it was generated of."
      from: SchemaCoordinate
      "What it is for."
      purpose: GeneratedPurpose!
    ) on SCALAR | OBJECT | FIELD_DEFINITION | ARGUMENT_DEFINITION | INTERFACE | UNION | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION

    type _Service {
      "The definitions of the service as one text."
      sdl(
        "Whether to leave out what every schema has."
        omitBuiltin: Boolean = false
        "Whether to leave out descriptions."
        omitDescription: Boolean = false
      ): String!
      "What the developer wrote."
      schema: String!
      "What the developer wrote, by schema."
      schemas: [_Schema!]!
      "Pages about the schema."
      docs: [_Doc!]!
    }

    type _Schema {
      "Which schema it is."
      id: String!
      "Its text."
      source: String!
    }

    type _Doc {
      "The name of the page."
      page: String!
      "Its text."
      markdown: String!
    }

    "Marks scalars that are expressions in CEL."
    directive @fdc_celExpression(
      "The type of their values."
      returnType: String
    ) on SCALAR

    "Marks scalars that are SQL."
    directive @fdc_sqlExpression(
      "The type of their values."
      dataType: String
    ) on SCALAR

    "Marks types that no variable may have."
    directive @fdc_forbiddenAsVariableType on SCALAR | OBJECT | INTERFACE | UNION | ENUM | INPUT_OBJECT

    "Marks fields that may not come through a variable."
    directive @fdc_forbiddenInVariables on INPUT_FIELD_DEFINITION

    "Marks types that no field of a schema may have."
    directive @fdc_forbiddenAsFieldType on SCALAR | OBJECT | INTERFACE | UNION | ENUM | INPUT_OBJECT

    "Shows a value that is often used."
    directive @fdc_example(
      "The value."
      value: Any
      "What it means."
      description: String
    ) repeatable on SCALAR | OBJECT | FIELD_DEFINITION | ARGUMENT_DEFINITION | INTERFACE | UNION | ENUM | INPUT_OBJECT | INPUT_FIELD_DEFINITION

    "Marks those of which one at most may be given."
    directive @fdc_oneOf(
      "What those that exclude each other have in common."
      group: String! = ""
      "Whether one has to be given."
      required: Boolean! = false
    ) repeatable on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION

    "What is known of a row beside its columns."
    type _Metadata {
      "How far a vector is from the one that was looked for; null elsewhere."
      distance: Float
    }
    """
}
