extension Prelude {
  static let tables = """
    "Makes a type a table of the database."
    directive @table(
      "What the table is called in the database: by default as the type, `like_this`."
      name: String
      "What one row is called in operations: by default as the type, `likeThis`."
      singular: String
      "What several rows are called: by default the English plural."
      plural: String
      "The fields that tell a row: by default `id`, which is added where there is none."
      key: [String!]
    ) on OBJECT

    "Makes a type a view, which is read only and has no key."
    directive @view(
      "What the view is called in the database."
      name: String @fdc_oneOf
      "The SELECT statement that it is."
      sql: String @fdc_oneOf
      "What one row is called in operations."
      singular: String
      "What several rows are called."
      plural: String
    ) on OBJECT

    "Says how the database has a column."
    directive @col(
      "What it is called there: by default as the field, `like_this`."
      name: String
      "The type that it has there."
      dataType: String
      "How long the vectors in it are."
      size: Int
    ) on FIELD_DEFINITION

    "Says which foreign key is behind a field that leads to a table."
    directive @ref(
      "What the constraint is called in the database."
      constraintName: String
      "The columns of the foreign key: by default the field's name and that of the other table's key."
      fields: [String!]
      "The columns of the other table: by default its key."
      references: [String!]
    ) on FIELD_DEFINITION

    "Which values come first."
    enum OrderDirection @fdc_forbiddenAsFieldType {
      "The smallest."
      ASC
      "The greatest."
      DESC
    }
    """

  static let constraints = """
    "Says what a column gets where an insert says nothing."
    directive @default(
      "A value."
      value: Any @fdc_oneOf(required: true)
      "An expression in CEL."
      expr: Any_Expr @fdc_oneOf(required: true)
      "An expression in SQL."
      sql: Any_SQL @fdc_oneOf(required: true)
    ) on FIELD_DEFINITION

    "Has the database find rows by these columns faster."
    directive @index(
      "What it is called in the database."
      name: String
      "Of a table: which fields."
      fields: [String!]
      "Of a table: the direction of each field."
      order: [IndexFieldOrder!]
      "How it is made."
      type: IndexType
      "Of vectors: how they are compared."
      vector_method: VectorSimilarityMethod
    ) repeatable on FIELD_DEFINITION | OBJECT

    "The direction of an index."
    enum IndexFieldOrder @fdc_forbiddenAsVariableType @fdc_forbiddenAsFieldType {
      "From the smallest."
      ASC
      "From the greatest."
      DESC
    }

    "How an index is made."
    enum IndexType @fdc_forbiddenAsVariableType @fdc_forbiddenAsFieldType {
      "For what has an order."
      BTREE
      "For lists."
      GIN
      "For vectors: found fast."
      HNSW
      "For vectors: built fast."
      IVFFLAT
    }

    "Forbids two rows with the same values."
    directive @unique(
      "What it is called in the database."
      indexName: String
      "Of a table: which fields."
      fields: [String!]
    ) repeatable on FIELD_DEFINITION | OBJECT
    """
}
