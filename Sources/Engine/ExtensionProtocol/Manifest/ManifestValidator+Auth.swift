import PropertyList

/// Checks of `Annex.Auth` and `Annex.Identity`.
extension ManifestValidator {
  mutating func readAuth(_ manifest: inout Manifest, _ path: PropertyListKeyPath) {
    let indices = reader.indices(path)
    if indices.count > AuthEntry.longest {
      reader.fail(
        path, "There are \(indices.count) entries, more than \(AuthEntry.longest).", "Put scopes of one API together.")
    }
    for index in indices.prefix(AuthEntry.longest) {
      let place = path.appending(index)
      guard reader.dictionary(place) != nil else { continue }
      let scopes = authScopes(place.appending("Scopes"))
      let servers = authServers(place.appending("Servers"))
      let allowsToken = reader.bool(place.appending("Token")) ?? false
      if reader.value(place.appending("Scopes")) == nil {
        reader.fail(place.appending("Scopes"), "The key is missing.", "Name the scopes that the token is for.")
      }
      if servers.isEmpty, !allowsToken, reader.value(place.appending("Servers")) == nil {
        reader.fail(
          place, "The entry names no server, and does not ask for the token itself.",
          "Name the servers that the token is sent to, under Servers.")
      }
      guard !scopes.isEmpty, allowsToken || !servers.isEmpty else { continue }
      let entry = AuthEntry(scopes: scopes, servers: servers, allowsToken: allowsToken)
      if !manifest.authEntries.contains(entry) { manifest.authEntries.append(entry) }
    }
  }

  private mutating func authScopes(_ path: PropertyListKeyPath) -> [String] {
    var scopes: [String] = []
    for (index, scope) in reader.strings(path).enumerated() {
      if !AuthEntry.isScope(scope) {
        reader.fail(
          path.appending(index), "“\(scope.prefix(200))” is not a scope.",
          "Write one scope in a string, without spaces, quotation marks and backslashes: api://notes/Notes.Read.")
      } else if !scopes.contains(where: { $0.lowercased() == scope.lowercased() }) {
        scopes.append(scope)
      }
    }
    if reader.value(path) != nil, reader.indices(path).isEmpty {
      reader.fail(path, "No scope is named.", "Name the scopes that the token is for.")
    }
    return bounded(scopes, path, "scopes")
  }

  private mutating func authServers(_ path: PropertyListKeyPath) -> [NetworkServer] {
    var servers: [NetworkServer] = []
    for (index, text) in reader.strings(path).enumerated() {
      if let server = NetworkServer(text) {
        if !servers.contains(server) { servers.append(server) }
      } else {
        reader.fail(
          path.appending(index), "“\(text.prefix(300))” names no server.",
          "Write a host, with a scheme and a port where needed: api.example.com, http://localhost:*.")
      }
    }
    return bounded(servers, path, "servers")
  }

  private mutating func bounded<Element>(
    _ elements: [Element], _ path: PropertyListKeyPath, _ what: String
  ) -> [Element] {
    if elements.count > AuthEntry.longest {
      reader.fail(
        path, "There are \(elements.count) \(what), more than \(AuthEntry.longest).", "Make several entries of it.")
    }
    return Array(elements.prefix(AuthEntry.longest))
  }

  mutating func readIdentity(_ manifest: inout Manifest, _ path: PropertyListKeyPath) {
    guard reader.value(path) != nil, reader.dictionary(path) != nil else { return }
    guard manifest.kind == .app else {
      return reader.warn(
        path, "Only a containing app says where its users sign in; this is ignored.", "Move it to the app's manifest.")
    }
    let authority = reader.required(
      path.appending("Authority"), "Give the address of the identity server: https://login.example.com.")
    let client = reader.required(path.appending("ClientID"), "Give the ID that the server has for the app.")
    let types = path.appending("ChallengeTypes")
    var challengeTypes: [String]?
    if reader.value(types) != nil { challengeTypes = reader.strings(types) }
    for (index, type) in (challengeTypes ?? []).enumerated() where !["password", "oob", "redirect"].contains(type) {
      reader.fail(
        types.appending(index), "“\(type.prefix(200))” is no way of signing in.", "Name password, oob, or both.")
    }
    guard let authority, let client else { return }
    guard isAuthority(authority) else {
      return reader.fail(
        path.appending("Authority"), "“\(authority.prefix(200))” is not an address of an identity server.",
        "Write it as https://host/path; http is for this machine alone.")
    }
    guard ManifestNames.isArgument(client), client.utf8.count <= 256, client.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else {
      return reader.fail(
        path.appending("ClientID"), "“\(client.prefix(200))” is not a client.",
        "Give the ID that the server has for the app.")
    }
    manifest.identity = Manifest.Identity(authority: authority, clientID: client, challengeTypes: challengeTypes)
  }

  private func isAuthority(_ text: String) -> Bool {
    let lower = text.lowercased()
    guard text.utf8.count <= 2_048, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      !text.utf8.contains(where: { "?#\"<>\\@".utf8.contains($0) })
    else { return false }
    for scheme in ["https", "http"] where lower.hasPrefix("\(scheme)://") {
      let server = String(lower.dropFirst(scheme.utf8.count + 3).prefix { $0 != "/" })
      guard let server = NetworkServer(server), !server.isAnyPort, !server.host.hasPrefix("*.") else { return false }
      return scheme == "https" || NetworkServer.isThisMachine(server.host)
    }
    return false
  }
}
