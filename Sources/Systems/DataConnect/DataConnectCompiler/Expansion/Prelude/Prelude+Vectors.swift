extension Prelude {
  static let vectors =
    """
    type Query {
      "The service itself."
      _service: _Service!
    }

    "A list of finite numbers. `vector` in the database."
    scalar Vector

    "How vectors are compared."
    enum VectorSimilarityMethod @fdc_forbiddenAsFieldType {
      "By their distance."
      L2
      "By the angle between them."
      COSINE
      "By their inner product."
      INNER_PRODUCT
    }

    "Conditions on a `Vector`."
    input Vector_Filter {
      "The value is equal to this one."
      eq: Vector
      "The value is different from this one."
      ne: Vector
      "The value is one of these."
      in: [Vector!]
      "The value is none of these."
      nin: [Vector!]
      "Whether the column has no value."
      isNull: Boolean
    }

    \(listFilter("Vector"))

    "A vector that a model makes of a text."
    input Vector_Embed @fdc_forbiddenAsVariableType {
      "The model."
      model: Vector_Embed_Model!
      "The text."
      text: String!
    }

    "The name of a model for vectors, with its version."
    scalar Vector_Embed_Model
      @specifiedBy(url: "https://cloud.google.com/vertex-ai/generative-ai/docs/learn/model-versioning")
      @fdc_forbiddenAsVariableType
      @fdc_forbiddenAsFieldType
    """

  static let refresh = """
    "Says when those who listen to a query get it anew."
    directive @refresh(
      "After this time, again and again."
      every: Timestamp_Duration
      "After one of these mutations."
      onMutationExecuted: [OnMutationExecuted_Event!]
    ) repeatable on QUERY

    "A mutation that has been executed."
    input OnMutationExecuted_Event {
      "Its name."
      operation: String!
      "Which of its executions."
      condition: Boolean_Expr
    }
    """
}
