import Testing

@testable import DataConnectGenerator

/// The other parts of a generated package, to the letter.
@Suite(.timeLimit(.minutes(1)))
struct `A part of a generated package` {
  /// What is behind the first lines of a file.
  private func body(_ part: String, of generator: PackageGenerator) throws -> String {
    let text = try Project.text(part, of: generator)
    #expect(text.hasPrefix(generator.head))
    return String(text.dropFirst(generator.head.count))
  }

  @Test func `tells rows by keys whose columns may be words of Swift`() throws {
    let generator = try Project.compile(
      "",
      schema: """
        type Word @table(key: ["self", "class"]) { self: String! class: Int64! }
        type Plain @table(key: "class") { class: String! }
        """)
    #expect(
      try body("Keys", of: generator) == """
        /// Tells a row of `Plain`.
        public struct PlainKey {
          /// The column `class`.
          public private(set) var `class`: String

          /// The key of a row.
          public init(`class`: String) {
            self.`class` = `class`
          }
        }

        extension PlainKey: Codable, Hashable, Sendable {}

        /// Tells a row of `Word`.
        public struct WordKey {
          /// The column `self`.
          public private(set) var self_: String
          /// The column `class`.
          public private(set) var `class`: Int64

          /// The key of a row.
          public init(self_: String, `class`: Int64) {
            self.self_ = self_
            self.`class` = `class`
          }

          private enum CodingKeys: String, CodingKey {
            case self_ = "self"
            case `class` = "class"
          }
        }

        extension WordKey: Codable, Hashable, Sendable {}

        """)
  }

  @Test func `has an enumeration whose values may be called as its members`() throws {
    let generator = try Project.compile(
      "", schema: "enum Mood { DULL self hash hash_ default }\ntype Movie @table { title: String! }")
    let text = try body("Operations", of: generator)
    let enumeration = try #require(text.firstRange(of: "/// The values of `Mood`.\n"))
    let end = try #require(text.firstRange(of: "\n// MARK: Operations\n"))
    #expect(
      text[enumeration.lowerBound..<end.lowerBound] == """
        /// The values of `Mood`.
        public enum Mood: RawRepresentable, CaseIterable, Codable, Hashable, Sendable {
          /// `DULL`
          case DULL
          /// `self`
          case self_
          /// `hash`
          case hash_
          /// `hash_`
          case hash__
          /// `default`
          case `default`
          /// A value that the schema did not have when this was generated.
          case _UNKNOWN(String)

          /// The values that the schema had when this was generated, in its order.
          public static var allCases: [Mood] {
            [.DULL, .self_, .hash_, .hash__, .`default`]
          }

          /// The value with a name; `_UNKNOWN` for one that was not known.
          public init(rawValue: String) {
            switch rawValue {
            case "DULL": self = .DULL
            case "self": self = .self_
            case "hash": self = .hash_
            case "hash_": self = .hash__
            case "default": self = .`default`
            default: self = ._UNKNOWN(rawValue)
            }
          }

          /// What the schema calls it.
          public var rawValue: String {
            switch self {
            case .DULL: "DULL"
            case .self_: "self"
            case .hash_: "hash"
            case .hash__: "hash_"
            case .`default`: "default"
            case ._UNKNOWN(let rawValue): rawValue
            }
          }

          /// Reads its name.
          public init(from decoder: any Decoder) throws {
            self.init(rawValue: try decoder.singleValueContainer().decode(RawValue.self))
          }

          /// Writes its name.
          public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(rawValue)
          }
        }

        """)
    #expect(text[..<enumeration.lowerBound].hasSuffix("// MARK: Connector Enums\n\n"))
  }

  @Test func `describes an enumeration in the words of the schema`() throws {
    let schema = "\"How one feels.\"\nenum mood { A B }\ntype Movie @table { title: String! }"
    let generator = try Project.generator("", schema: schema, id: "movies")
    let text = try body("Operations", of: generator)
    #expect(text.contains("/// How one feels.\npublic enum Mood: RawRepresentable, "))
    #expect(!text.contains("The values of `mood`."))
  }

  @Test(
    arguments: [
      ("clientCache: {maxAge: 5m, maxSize: 1000000}", ".persistent, maxAge: .milliseconds(300000), maxSize: 1000000"),
      ("clientCache: {maxAge: 2s, storage: memory}", ".memory, maxAge: .milliseconds(2000)"),
      ("clientCache:", ".persistent, maxAge: .milliseconds(0)"),
    ])
  func `has the cache of the configuration`(line: String, settings: String) throws {
    let text = try body("Client", of: try Project.compile(Project.listMovies, sdk: [line]))
    #expect(
      text.hasPrefix(
        """
        extension DataConnect {
          /// The connector `movies`, the same one for everybody.
          public static let moviesConnector = MoviesConnector(
            dataConnect: DataConnect.dataConnect(
              connectorConfig: MoviesConnector.connectorConfig,
              settings: DataConnectSettings(
                cacheSettings: CacheSettings(storage: \(settings))),
              callerSDKType: .generated))
        }

        /// The operations of the connector `movies`.
        public final class MoviesConnector: Sendable {

        """), "\(text)")
  }

  @Test func `has a short name for each operation, where it is not that of something else`() throws {
    let names = ["self", "init", "dataConnect", "connectorConfig", "class", "x", "xQuery", "Upper"]
    let generator = try Project.compile(
      names.map { "query \($0) @auth(level: USER) { movies { id } }" }.joined(separator: "\n"))
    let text = try body("Client", of: generator)
    let short = text.split(separator: "\n").filter { $0.hasPrefix("  public var ") }
    #expect(
      short == [
        "  public var `class`: ClassQuery { classQuery }", "  public var x: XQuery { xQuery }",
        "  public var upper: UpperQuery { upperQuery }",
      ])
    let long = text.split(separator: "\n").filter { $0.hasPrefix("  public let ") }
    #expect(
      long == [
        "  public let selfQuery: SelfQuery", "  public let initQuery: InitQuery",
        "  public let dataConnectQuery: DataConnectQuery", "  public let connectorConfigQuery: ConnectorConfigQuery",
        "  public let classQuery: ClassQuery", "  public let xQuery: XQuery", "  public let xQueryQuery: XQueryQuery",
        "  public let upperQuery: UpperQuery",
      ])
    #expect(text.contains("  /// The query `xQuery`.\n  public let xQueryQuery: XQueryQuery\n\n"))
    #expect(text.contains("    xQueryQuery = XQueryQuery(dataConnect: dataConnect)\n"))
  }

  @Test func `says in words what there is, also where there is nothing`() throws {
    let empty = try Project.compile("# later", id: "friendly-flix")
    #expect(
      empty.files.first { $0.path == "README.md" }?.text == """
        # Movies

        Generated from the connector `friendly-flix` of the service `s`.
        Changes here are lost: change the connector and generate it again.

        ```swift
        import DataConnect
        import Movies

        let connector = DataConnect.friendlyFlixConnector
        connector.useEmulator()
        ```


        """)
    let text = try body("Client", of: empty)
    #expect(text.hasSuffix("  // MARK: Operations\n}\n"))
    #expect(text.contains("  init(dataConnect: DataConnect) {\n    self.dataConnect = dataConnect\n  }\n"))
    #expect(text.contains("(serviceId: \"s\", location: \"us-east4\", connector: \"friendly-flix\")\n"))
  }
}

/// The types of a generated module, each with a name that nothing else has.
@Suite(.timeLimit(.minutes(1)))
struct `The types of a generated module` {
  private static let schema = """
    enum Mood { A B }
    enum Data { A B }
    enum Type { A B }
    enum MovieKey { A B }
    enum MoviesConnector { A B }
    type Movie @table { title: String! }
    type Array @table { title: String! }
    """

  private func types() throws -> TypeNames {
    try Project.compile("query list @auth(level: USER) { movies { id } }", schema: Self.schema).types
  }

  @Test func `are called by the schema where nothing else is called so`() throws {
    let types = try types()
    #expect(
      types.enumerations == [
        "Mood": "Mood", "Data": "Data2", "Type": "Type2", "MovieKey": "MovieKey", "MoviesConnector": "MoviesConnector2",
      ])
    #expect(types.keys == ["Movie": "MovieKey2", "Array": "ArrayKey"])
    #expect(types.operations == ["list": "ListQuery"])
    for name in ["Data", "Data2", "Type2", "MovieKey", "MovieKey2", "ArrayKey", "ListQuery", "UUID", "CodingKeys"] {
      #expect(types.reserved.contains(name), "\(name)")
    }
    #expect(!types.reserved.contains("MoviesConnector") && !types.reserved.contains("Movie"))
  }

  @Test(
    arguments: [
      ("String", "String"), ("ID", "String"), ("Int", "Int"), ("Int64", "Int64"), ("UUID", "UUID"),
      ("Timestamp", "Timestamp"), ("Float", "Double"), ("Boolean", "Bool"), ("Date", "LocalDate"),
      ("Vector", "[Double]"), ("OrderDirection", "OrderDirection"), ("Search_QueryFormat", "SearchQueryFormat"),
      ("Mood", "Mood"), ("Data", "Data2"), ("Movie_Key", "MovieKey2"), ("Movie_KeyOutput", "MovieKey2"),
      ("Other_Key", "AnyValue"), ("Movie", "AnyValue"), ("Any", "AnyValue"), ("Movie_Data", "AnyValue"),
      ("Movie_Keys", "AnyValue"), ("_Key", "AnyValue"), ("", "AnyValue"),
    ])
  func `stand for those of the schema`(name: String, expected: String) throws {
    #expect(try types().base(name) == expected)
  }
}
