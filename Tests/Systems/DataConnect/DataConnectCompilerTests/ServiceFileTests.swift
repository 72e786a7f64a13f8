import Testing

@testable import DataConnectCompiler

/// `dataconnect.yaml`, key by key.
@Suite(.timeLimit(.minutes(1)))
struct `The file of a service` {
  private func read(_ text: String) -> (configuration: ServiceConfiguration?, lines: [String]) {
    var file = ConfigurationFile(Array(text.utf8), name: "d")
    let configuration = file.service()
    return (configuration, file.problems.map(\.description))
  }

  /// What is read of a file in which something is added to what it has to have.
  private func service(_ more: String) -> (configuration: ServiceConfiguration?, lines: [String]) {
    read("serviceId: s\nlocation: l\n\(more)\n")
  }

  @Test func `needs the names of the service and of its place`() {
    let (configuration, lines) = service("")
    #expect(lines == [])
    #expect(
      configuration
        == ServiceConfiguration(
          serviceID: "s", location: "l", specVersion: nil, schemaSource: "./schema", database: nil,
          connectorDirectories: []))
    let (none, missing) = read("specVersion: v1\n")
    #expect(none == nil)
    #expect(
      missing
        == ["serviceId", "location"].map {
          "d:1:1: error: The key \"\($0)\" of dataconnect.yaml is missing. Write \($0): and a value."
        })
    #expect(read("serviceId: s\n").configuration == nil && read("location: l\n").configuration == nil)
  }

  @Test(arguments: ["", "\n", "null\n", "~", "# nothing\n"])
  func `has to hold something`(text: String) {
    let (configuration, lines) = read(text)
    #expect(configuration == nil)
    #expect(lines == ["d:1:1: error: The file holds nothing. Write the keys that it needs."])
  }

  @Test func `has a version that is known`() {
    for version in ["v1", "v1beta", "v1alpha"] {
      let (configuration, lines) = service("specVersion: \(version)")
      #expect(configuration?.specVersion == version && lines == [])
    }
    let (configuration, lines) = service("specVersion: v2")
    #expect(configuration?.specVersion == "v2")
    #expect(
      lines == ["d:3:14: warning: The version \"v2\" of the file is not known. Write specVersion: \"v1\"."])
  }

  @Test func `names the folders of connectors once each`() {
    #expect(service("connectorDirs:").lines == [])
    #expect(service("connectorDirs:").configuration?.connectorDirectories == [])
    let (text, lines) = service("connectorDirs: ./a")
    #expect(text?.connectorDirectories == [])
    #expect(lines == ["d:3:16: error: connectorDirs is not a list. Write connectorDirs: [\"./connector\"]."])
    let (twice, more) = service("connectorDirs: [b, a, b]")
    #expect(twice?.connectorDirectories == ["b", "a"])
    #expect(more == ["d:3:23: warning: The folder \"b\" is named twice. Remove one."])
    let (wrong, all) = service("connectorDirs: [b, [a], \"\", ~, c]")
    #expect(wrong?.connectorDirectories == ["b", "c"])
    #expect(
      all == ["20", "25", "29"].map { "d:3:\($0): error: The folder of a connector is not text. Write its path." })
  }

  @Test func `counts the bytes of a folder's name`() {
    let (fits, none) = service("connectorDirs: [\(String(repeating: "é", count: 500))]")
    #expect(fits?.connectorDirectories.count == 1 && none == [])
    let (long, lines) = service("connectorDirs: [\(String(repeating: "é", count: 501))]")
    #expect(long?.connectorDirectories == [])
    #expect(lines == ["d:3:17: error: The folder of a connector is not text. Write its path."])
  }

  @Test func `has one schema, in either spelling`() {
    #expect(service("schema: {source: ./a}").configuration?.schemaSource == "./a")
    #expect(service("schema:").configuration?.schemaSource == "./schema")
    for text in ["{source: ./b}", "[{source: ./b}]", "[{id: main, source: ./b}]"] {
      let (configuration, lines) = service("schemas: \(text)")
      #expect(configuration?.schemaSource == "./b" && lines == [], "\(text)")
    }
    #expect(service("schemas:").lines == [] && service("schemas: []").lines == [])
  }

  @Test func `refuses further schemas`() {
    func refusal(_ id: String) -> String {
      "error: The schema \"\(id)\" is not supported: there is one, with the data in PostgreSQL. "
        + "Remove it, and the operations that need it."
    }
    let (second, lines) = service("schemas: [{source: ./a}, {source: ./b}]")
    #expect(second?.schemaSource == "./a")
    #expect(lines == ["d:3:26: \(refusal(""))"])
    let (first, more) = service("schemas: [{id: shop, source: ./a}, {id: main, source: ./b}]")
    #expect(first?.schemaSource == "./b")
    #expect(more == ["d:3:11: \(refusal("shop"))"])
    let (both, all) = service("schema: {source: ./a}\nschemas: [{source: ./b}]")
    #expect(both?.schemaSource == "./a")
    #expect(all == ["d:4:11: \(refusal("main"))"])
    let (mains, last) = service("schemas: [{id: main, source: ./a}, {id: main, source: ./b}]")
    #expect(mains?.schemaSource == "./a")
    #expect(last == ["d:3:36: \(refusal("main"))"])
  }

  @Test func `has a database with usual values`() {
    func database(_ text: String) -> DatabaseConfiguration? {
      let (configuration, lines) = service("schema: {datasource: {postgresql: {\(text)}}}")
      #expect(lines == [], "\(text)")
      return configuration?.database
    }
    #expect(
      database("database: d")
        == DatabaseConfiguration(database: "d", schema: "public", instanceID: nil, validation: nil))
    #expect(
      database("database: d, schema: x, schemaValidation: STRICT")
        == DatabaseConfiguration(database: "d", schema: "x", instanceID: nil, validation: .strict))
    #expect(
      database("database: d, cloudSql: {instanceId: i}")
        == DatabaseConfiguration(database: "d", schema: "public", instanceID: "i", validation: nil))
    let both = "database: d, schemaValidation: STRICT, cloudSql: {schemaValidation: COMPATIBLE}"
    #expect(database(both)?.validation == .compatible)
    let one = "database: d, schemaValidation: COMPATIBLE, schemaMigration: x, cloudSql: {instanceId: i}"
    #expect(database(one)?.validation == .compatible && database(one)?.instanceID == "i")
  }

  @Test func `has no database where its name is missing`() {
    let (configuration, lines) = service("schema: {source: ./a, datasource: {postgresql: {schema: x}}}")
    #expect(configuration?.schemaSource == "./a")
    #expect(configuration != nil && configuration?.database == nil)
    #expect(lines == ["d:3:48: error: The key \"database\" of postgresql is missing. Write database: and a value."])
    let (nothing, none) = service("schema: {source: ./a, datasource: {postgresql: }}")
    #expect(nothing?.schemaSource == "./a" && nothing?.database == nil && none == [])
    let (wrong, more) = service("schema: {datasource: {postgresql: {database: d, schemaValidation: strict}}}")
    #expect(wrong?.database?.validation == nil && wrong?.database?.database == "d")
    #expect(more == ["d:3:67: error: \"strict\" is not a value of \"schemaValidation\". Did you mean STRICT?"])
  }

  @Test func `names what is not known at every level`() {
    let (configuration, lines) = service(
      "schema:\n  sorce: x\n  datasource:\n    postgres: {}\n    postgresql:\n      database: d\n      pasword: x\n"
        + "      cloudSql: {instanceID: i}")
    #expect(configuration?.database?.database == "d" && configuration?.database?.instanceID == nil)
    #expect(
      lines == [
        "d:4:3: warning: The key \"sorce\" of the schema means nothing. Did you mean source?",
        "d:6:5: warning: The key \"postgres\" of datasource means nothing. Did you mean postgresql?",
        "d:9:7: warning: The key \"pasword\" of postgresql means nothing. There are database, schema, cloudSql, "
          + "schemaValidation, schemaMigration.",
        "d:10:18: warning: The key \"instanceID\" of cloudSql means nothing. Did you mean instanceId?",
      ])
  }
}
