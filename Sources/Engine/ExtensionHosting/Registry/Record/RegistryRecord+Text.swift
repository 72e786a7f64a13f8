import JSON

/// The record's file: JSON for people to read, its keys in order.
extension RegistryRecord {
  private enum Key: String, CodingKey { case bundles, elections, approvals, teams, handovers, successors, revoked }

  /// A record without approvals, teams or revocations is one that was written before there were any.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    bundles = try container.decode([Bundle].self, forKey: .bundles)
    elections = try container.decode([String: Election].self, forKey: .elections)
    let approved = try container.decodeIfPresent([String: [String]].self, forKey: .approvals) ?? [:]
    approvals = approved.mapValues { Set($0) }
    teams = try container.decodeIfPresent([String: BundleTeam].self, forKey: .teams) ?? [:]
    handovers = try container.decodeIfPresent([String: String].self, forKey: .handovers) ?? [:]
    successors = try container.decodeIfPresent([String: String].self, forKey: .successors) ?? [:]
    revoked = try container.decodeIfPresent([String: String].self, forKey: .revoked) ?? [:]
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
        if let signature = bundle.signature { entry["signature"] = Self.value(of: signature) }
        return .object(entry)
      })
    var decisions = JSONObject()
    for (identifier, election) in elections { decisions[identifier] = .string(election.rawValue) }
    object["elections"] = .object(decisions)
    var approved = JSONObject()
    for (identifier, names) in approvals { approved[identifier] = .array(names.sorted().map { .string($0) }) }
    object["approvals"] = .object(approved)
    if !teams.isEmpty {
      var pinned = JSONObject()
      for (identifier, team) in teams { pinned[identifier] = ["team": .string(team.team), "name": .string(team.name)] }
      object["teams"] = .object(pinned)
    }
    let tables = [("handovers", handovers), ("revoked", revoked), ("successors", successors)]
    for (key, texts) in tables where !texts.isEmpty {
      var entries = JSONObject()
      for (name, text) in texts { entries[name] = .string(text) }
      object[key] = .object(entries)
    }
    return Array((JSONCoding.prettyText(of: .object(object), sortsKeys: true) + "\n").utf8)
  }

  private static func value(of signature: BundleSignature) -> JSONValue {
    var object: JSONObject = [
      "team": .string(signature.team), "name": .string(signature.name), "key": .string(signature.key),
      "digest": .string(signature.digest),
    ]
    var stamps = JSONObject()
    for (path, stamp) in signature.stamps { stamps[path] = .string(stamp) }
    object["stamps"] = .object(stamps)
    return .object(object)
  }
}
