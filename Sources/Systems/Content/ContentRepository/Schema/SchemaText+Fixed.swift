extension SchemaText {
  /// What every schema has, whatever the models are.
  static let fixed = scalars + references + metadata + transforms + filters

  private static let scalars = """

    "A date and a time, as ISO 8601 has them"
    scalar Calendar
    "A date: 2026-05-31"
    scalar Date
    "A time of day: 18:30:00"
    scalar Time
    "A whole number of 64 bits"
    scalar Long
    "Any JSON"
    scalar Json

    type MultiFormatString {
      html: String
      json: Json
      markdown: String
      plaintext: String
    }

    type ModelInfo {
      _path: ID
      title: String
    }

    type PageInfo {
      startCursor: String
      endCursor: String
      hasNextPage: Boolean!
      hasPreviousPage: Boolean!
    }

    """

  private static let references = """

    type ImageRef {
      _id: ID
      _path: ID
      _authorUrl: String
      _publishUrl: String
      _dynamicUrl: String
      _dmS7Url: String
      type: String
      mimeType: String
      width: Int
      height: Int
    }

    type MultimediaRef {
      _id: ID
      _path: ID
      _authorUrl: String
      _publishUrl: String
      _dmS7Url: String
      type: String
      format: String
      size: Int
    }

    type DocumentRef {
      _id: ID
      _path: ID
      _authorUrl: String
      _publishUrl: String
      _dmS7Url: String
      type: String
      author: String
      format: String
      size: Int
    }

    type ArchiveRef {
      _id: ID
      _path: ID
      _authorUrl: String
      _publishUrl: String
      type: String
      format: String
      size: Int
    }

    type PageRef {
      _path: ID
      _authorUrl: String
      _publishUrl: String
      type: String
    }

    """

  private static let metadata: String = {
    let types = ["String", "Int", "Float", "Boolean", "Calendar"]
    let fields = types.flatMap { type in
      let small = type.lowercased()
      return [
        "  \(small)Metadata: [\(type)Metadata]!", "  \(small)ArrayMetadata: [\(type)ArrayMetadata]!",
      ]
    }
    var text = "\ntype TypedMetaData {\n\(fields.joined(separator: "\n"))\n}\n"
    for type in types {
      text += """

        type \(type)Metadata {
          name: String!
          value: \(type)
        }

        type \(type)ArrayMetadata {
          name: String!
          value: [\(type)]
        }

        """
    }
    return text
  }()

  private static let transforms = """

    enum AssetTransformFormat { GIF PNG PNG8 JPG PJPG BJPG WEBP WEBPLL WEBPLY }

    enum AssetTransformRotation { R90 R180 R270 }

    enum AssetTransformFlip { HORIZONTAL VERTICAL HORIZONTAL_AND_VERTICAL }

    input AssetTransformCrop {
      xOrigin: Int!
      yOrigin: Int!
      width: Int
      height: Int
    }

    input AssetTransformSize {
      width: Int
      height: Int
    }

    input AssetTransform {
      format: AssetTransformFormat
      seoName: String
      crop: AssetTransformCrop
      size: AssetTransformSize
      rotation: AssetTransformRotation
      flip: AssetTransformFlip
      quality: Int
      width: Int
      preferWebp: Boolean
    }

    """

  // MARK: Filters

  private static let numbers = "EQUAL UNEQUAL GREATER GREATER_EQUAL LOWER LOWER_EQUAL"
  private static let moments = "AT NOT_AT BEFORE AT_OR_BEFORE AFTER AT_OR_AFTER"

  /// The scalars that fields are filtered by, with their operators.
  private static let operators: [(String, String)] = [
    ("String", "EQUALS EQUALS_NOT CONTAINS CONTAINS_NOT STARTS_WITH"), ("ID", "EQUALS EQUALS_NOT STARTS_WITH"),
    ("Int", numbers), ("Long", numbers), ("Float", numbers), ("Boolean", "EQUALS"), ("Calendar", moments),
    ("Date", moments), ("Time", moments),
  ]

  private static let filters: String = {
    var text = """

      enum LogOp { AND OR }

      enum ArrayMode { ALL ALL_OR_EMPTY AT_LEAST_ONCE INSTANCES }

      input MultiFormatStringFilter {
        _logOp: LogOp
        html: StringFilter
        markdown: StringFilter
        plaintext: StringFilter
      }

      input MultiFormatStringArrayFilter {
        _apply: ArrayMode
        _instances: Int
        _match: MultiFormatStringFilter
      }

      """
    for (type, words) in operators {
      let option = type == "String" ? "\n  _ignoreCase: Boolean" : type == "Float" ? "\n  _sensitiveness: Float" : ""
      text += """

        enum \(type)Operator { \(words) }

        input \(type)Filter {
          _logOp: LogOp
          _expressions: [\(type)FilterExpression]!
        }

        input \(type)FilterExpression {
          value: \(type)
          _operator: \(type)Operator\(option)
        }

        input \(type)ArrayFilter {
          _logOp: LogOp
          _expressions: [\(type)ArrayFilterExpression]!
        }

        input \(type)ArrayFilterExpression {
          value: \(type)
          values: [\(type)]
          _operator: \(type)Operator
          _apply: ArrayMode
          _instances: Int\(option)
        }

        """
    }
    return text
  }()
}
