import JSON

// Read and written in every start of an extension, so with the keys that all of them share; see `JSONKey`.

extension Initialize {
  /// Reads the params. Only the versions are required of a host.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: JSONKey.self)
    self.init(
      protocolVersions: try members.decode([String].self, forKey: "protocolVersions"),
      host: try members.decodeIfPresent(Peer.self, forKey: "host") ?? Peer(name: "host"),
      extension: try members.decodeIfPresent(Identity.self, forKey: "extension")
        ?? Identity(id: "", version: nil, point: ExtensionPoint(rawValue: ""), containingApp: nil),
      capabilities: try members.dictionary(forKey: "capabilities", from: decoder, of: "a value") { $0 } ?? [:],
      permissions: try members.dictionary(forKey: "permissions", from: decoder, of: "a string", \.stringValue) ?? [:],
      limits: try members.dictionary(forKey: "limits", from: decoder, of: "a whole number", \.integerValue) ?? [:],
      locale: try members.decodeIfPresent(String.self, forKey: "locale") ?? "en-US",
      directories: try members.decodeIfPresent(Directories.self, forKey: "directories")
        ?? Directories(scratch: "", container: "", groups: [:]))
  }
}

extension Initialize.Identity {
  /// Reads the identity.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: JSONKey.self)
    self.init(
      id: try members.decode(String.self, forKey: "id"),
      version: try members.decodeIfPresent(String.self, forKey: "version"),
      point: ExtensionPoint(rawValue: try members.decode(String.self, forKey: "point")),
      pointVersion: try members.decodeIfPresent(PointVersion.self, forKey: "pointVersion"),
      containingApp: try members.decodeIfPresent(String.self, forKey: "containingApp"))
  }
}

extension Initialize.Directories {
  /// Reads the directories.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: JSONKey.self)
    self.init(
      scratch: try members.decode(String.self, forKey: "scratch"),
      container: try members.decode(String.self, forKey: "container"),
      groups: try members.rareDictionary(forKey: "groups", from: decoder))
  }
}

extension Initialize.Result {
  /// Reads the answer.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: JSONKey.self)
    self.init(
      protocolVersion: try members.decode(String.self, forKey: "protocolVersion"),
      sdk: try members.decodeIfPresent(Peer.self, forKey: "sdk"),
      capabilities: try members.dictionary(forKey: "capabilities", from: decoder, of: "a value") { $0 },
      principalClass: try members.decodeIfPresent(String.self, forKey: "principalClass"),
      pointVersion: try members.decodeIfPresent(PointVersion.self, forKey: "pointVersion"))
  }

  /// Writes the answer.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: JSONKey.self)
    try members.encode(protocolVersion, forKey: "protocolVersion")
    try members.encodeIfPresent(sdk, forKey: "sdk")
    try members.encodeIfPresent(capabilities, forKey: "capabilities")
    try members.encodeIfPresent(principalClass, forKey: "principalClass")
    try members.encodeIfPresent(pointVersion, forKey: "pointVersion")
  }
}

extension Peer {
  /// Reads the name and what goes with it.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: JSONKey.self)
    self.init(
      name: try members.decode(String.self, forKey: "name"),
      version: try members.decodeIfPresent(String.self, forKey: "version"),
      language: try members.decodeIfPresent(String.self, forKey: "language"))
  }

  /// Writes the name and what goes with it.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: JSONKey.self)
    try members.encode(name, forKey: "name")
    try members.encodeIfPresent(version, forKey: "version")
    try members.encodeIfPresent(language, forKey: "language")
  }
}
