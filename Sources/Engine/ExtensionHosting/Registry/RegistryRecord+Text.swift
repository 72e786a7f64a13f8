import JSON

/// The record's file: JSON for people to read, its keys in order.
extension RegistryRecord {
  private enum Key: String, CodingKey { case bundles, elections, approvals }

  /// A record without approvals is one that was written before there were any.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    bundles = try container.decode([Bundle].self, forKey: .bundles)
    elections = try container.decode([String: Election].self, forKey: .elections)
    let approved = try container.decodeIfPresent([String: [String]].self, forKey: .approvals) ?? [:]
    approvals = approved.mapValues { Set($0) }
  }

  /// The content of the file, in UTF-8.
  package var fileBytes: [UInt8] {
    var object = JSONObject()
    object["bundles"] = .array(
      bundles.map { bundle in
        var entry = JSONObject()
        entry["path"] = .string(bundle.path)
        entry["identifier"] = .string(bundle.identifier)
        entry["added"] = .double(bundle.added)
        return .object(entry)
      })
    var decisions = JSONObject()
    for (identifier, election) in elections { decisions[identifier] = .string(election.rawValue) }
    object["elections"] = .object(decisions)
    var approved = JSONObject()
    for (identifier, names) in approvals { approved[identifier] = .array(names.sorted().map { .string($0) }) }
    object["approvals"] = .object(approved)
    return Array((JSONCoding.prettyText(of: .object(object), sortsKeys: true) + "\n").utf8)
  }
}
