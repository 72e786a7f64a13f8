package import JSON

/// Writes the three roles of an index of our own that its online key signs.
package enum MetadataWriter {
  /// A file of metadata that another one names.
  package typealias Written = (bytes: [UInt8], version: Int64)

  /// Which snapshot is the newest.
  package static func timestamp(version: Int64, expires: Int64, snapshot: Written) -> JSONValue {
    var signed = MetadataHeader.members("timestamp", version: version, expires: expires)
    signed["meta"] = ["snapshot.json": MetaFile.json(snapshot.bytes, version: snapshot.version)]
    return .object(signed)
  }

  /// Which files belong together; the names are those of roles.
  package static func snapshot(version: Int64, expires: Int64, roles: [(name: String, file: Written)]) -> JSONValue {
    var signed = MetadataHeader.members("snapshot", version: version, expires: expires)
    signed["meta"] = .object(
      JSONObject(roles.map { ("\($0.name).json", MetaFile.json($0.file.bytes, version: $0.file.version)) }))
    return .object(signed)
  }

  /// The files of an index, and the roles that describe some of them in its place.
  ///
  /// - Parameters:
  ///   - files: descriptions by path.
  ///   - delegations: the name of a role, the keys of which one has to sign, and the patterns of the paths.
  package static func targets(
    version: Int64, expires: Int64, files: [String: FileDescription],
    delegations: [(name: String, keys: [MetadataKey], paths: [String])] = []
  ) -> JSONValue {
    var signed = MetadataHeader.members("targets", version: version, expires: expires)
    signed["targets"] = .object(JSONObject(files.sorted { $0.key < $1.key }.map { ($0.key, .object($0.value.json)) }))
    guard !delegations.isEmpty else { return .object(signed) }
    let roles = delegations.map { delegation -> JSONValue in
      var role: JSONObject = [
        "name": .string(delegation.name), "terminating": true,
        "paths": .array(delegation.paths.map { .string($0) }),
      ]
      for member in MetadataRole(keys: delegation.keys.map(\.identifier)).json.objectValue ?? [:] {
        role[member.key] = member.value
      }
      return .object(role)
    }
    signed["delegations"] = [
      "keys": .object(JSONObject(delegations.flatMap(\.keys).map { ($0.identifier, $0.json) })),
      "roles": .array(roles),
    ]
    return .object(signed)
  }
}

extension UpdateWorkflow {
  /// The files that a role describes, by path; none before ``seek(_:)`` has come to the role.
  package func files(of role: String) -> [String: FileDescription] { targets[role]?.files ?? [:] }
  /// The roles that a role delegates to, in order.
  package func delegations(of role: String) -> [String] { (targets[role]?.delegations ?? []).map(\.name) }

  /// The version that is believed of a file of metadata; `nil` for one that was not read.
  package func version(of role: String) -> Int64? {
    switch role {
    case "root": root.header.version
    case "timestamp": timestamp?.header.version
    case "snapshot": snapshot?.header.version
    default: targets[role]?.header.version
    }
  }

  /// When the metadata has to be fetched anew, in seconds since 1970: the first end of what all requests need.
  package var expires: Int64 {
    [root.header.expires, timestamp?.header.expires, snapshot?.header.expires].compactMap(\.self).min() ?? 0
  }
}
