import YAML

extension ConfigurationFile {
  private static let file = "dataconnect.yaml"

  /// Returns the content of `dataconnect.yaml`; `nil` when required keys are missing.
  mutating func service() -> ServiceConfiguration? {
    let keys = ["specVersion", "serviceId", "location", "schema", "schemas", "connectorDirs"]
    guard let root = mapping(root, Self.file, keys: keys) else { return nil }
    let version = text(root, "specVersion", Self.file)
    if let version, !["v1", "v1beta", "v1alpha"].contains(version) {
      warn(
        "The version \(version.quoted) of the file is not known.", fix: "Write specVersion: \"v1\".",
        at: root["specVersion"]?.place)
    }
    let serviceID = text(root, "serviceId", Self.file, isRequired: true)
    let location = text(root, "location", Self.file, isRequired: true)
    let schema = mainSchema(root)
    let directories = connectorDirectories(root["connectorDirs"])
    guard let serviceID, let location else { return nil }
    return ServiceConfiguration(
      serviceID: serviceID, location: location, specVersion: version, schemaSource: schema.source,
      database: schema.database, connectorDirectories: directories)
  }

  private mutating func connectorDirectories(_ node: YAMLNode?) -> [String] {
    guard let node, !node.isNull else { return [] }
    guard let elements = node.elements else {
      add("connectorDirs is not a list.", fix: "Write connectorDirs: [\"./connector\"].", at: node.place)
      return []
    }
    var directories: [String] = []
    for element in elements {
      guard let text = element.text, !text.isEmpty, text.utf8.count <= 1_000 else {
        add("The folder of a connector is not text.", fix: "Write its path.", at: element.place)
        continue
      }
      if directories.contains(text) {
        warn("The folder \(text.quoted) is named twice.", fix: "Remove one.", at: element.place)
      } else {
        directories.append(text)
      }
    }
    return directories
  }

  /// The schema that PostgreSQL holds: the only one, or that with the id `main`.
  private mutating func mainSchema(_ root: YAMLNode) -> (source: String, database: DatabaseConfiguration?) {
    var main = root["schema"]
    for (index, node) in objects(root["schemas"]).enumerated() {
      let id = node["id"]?.text ?? (index == 0 ? "main" : "")
      if id == "main", main == nil {
        main = node
      } else {
        add(
          "The schema \(id.quoted) is not supported: there is one, with the data in PostgreSQL.",
          fix: "Remove it, and the operations that need it.", at: node.place)
      }
    }
    guard let main else { return ("./schema", nil) }
    let schema = mapping(main, "the schema", keys: ["id", "source", "datasource"])
    let source = text(schema, "source", "the schema") ?? "./schema"
    let datasource = mapping(schema?["datasource"], "datasource", keys: ["postgresql", "httpGraphql"])
    if let other = datasource?["httpGraphql"] {
      add(
        "Data behind another GraphQL service (httpGraphql) is not supported.", fix: "Use postgresql.",
        at: other.place)
    }
    let names = ["database", "schema", "cloudSql", "schemaValidation", "schemaMigration"]
    guard let postgres = mapping(datasource?["postgresql"], "postgresql", keys: names) else { return (source, nil) }
    let cloud = mapping(postgres["cloudSql"], "cloudSql", keys: ["instanceId", "schemaValidation"])
    let validation =
      word(cloud, "schemaValidation", "cloudSql", DatabaseConfiguration.Validation.self)
      ?? word(postgres, "schemaValidation", "postgresql", DatabaseConfiguration.Validation.self)
    guard let database = text(postgres, "database", "postgresql", isRequired: true) else { return (source, nil) }
    return (
      source,
      DatabaseConfiguration(
        database: database, schema: text(postgres, "schema", "postgresql") ?? "public",
        instanceID: text(cloud, "instanceId", "cloudSql"), validation: validation)
    )
  }
}
