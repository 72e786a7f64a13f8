import ExtensionProtocol
import PropertyList

/// What an announced point gives its extensions.
extension AnnouncedPointReader {
  mutating func definition(
    _ name: String, _ version: PointVersion, _ schemas: MethodSchemas
  ) -> ExtensionPointDefinition {
    let profile = base.appending("Profile")
    let reuse = word(profile.appending("Reuse"), among: ExtensionPointDefinition.Reuse.words.map { ($0, $1) }) ?? .never
    let groups = word(
      profile.appending("Groups"),
      among: [
        ("readWrite", ExtensionPointDefinition.GroupAccess.readWrite),
        ("readOnlyWithoutOpenAccess", .readOnlyWithoutOpenAccess),
      ])
    return ExtensionPointDefinition(
      ExtensionPoint(rawValue: identifier), version: version, shortName: name, role: text("Role") ?? "for \(name)",
      plural: text("Plural") ?? "the extensions for \(name)", prefix: prefix, position: 2000,
      calls: schemas.methods.filter { $0.caller != .extension }.map(\.call), commonCalls: common(),
      services: services(schemas), permissions: permissions(base.appending("Permissions")), limits: limits(profile),
      groups: groups ?? .readWrite, reuse: reuse, takesItems: reader.bool(profile.appending("TakesItems")) ?? false,
      access: access(), manifest: ManifestRules(keys: manifestKeys()))
  }

  private mutating func limits(_ path: PropertyListKeyPath) -> ExtensionLimits {
    var limits = ExtensionLimits.announced
    func read(_ key: String, _ member: WritableKeyPath<ExtensionLimits, UInt64>, unit: UInt64 = 1) {
      guard let number = reader.positive(path.appending(key)) else { return }
      let most = limits[keyPath: member]
      // At most 2^30 times 2^20.
      let wanted = UInt64(number) * unit
      limits[keyPath: member] = min(most, wanted)
      guard wanted > most else { return }
      reader.warn(
        path.appending(key), "\(number) is more than an announced point gets: \(most / unit).",
        "Write a smaller number. The host app itself may give more.")
    }
    read("MemoryMiB", \.memory, unit: 1 << 20)
    read("Threads", \.threads)
    read("Descriptors", \.descriptors)
    read("FileMiB", \.fileSize, unit: 1 << 20)
    read("ContainerMiB", \.containerSize, unit: 1 << 20)
    read("ContainerFiles", \.containerFiles)
    if let seconds = reader.positive(path.appending("CPUSeconds")) {
      limits.requestCPU = min(limits.requestCPU, .seconds(seconds))
      limits.idleCPU = min(limits.idleCPU, limits.requestCPU)
    }
    return limits
  }

  private mutating func contracts(_ path: PropertyListKeyPath, own: Set<String> = []) -> [any ServiceContract.Type] {
    reader.indices(path).compactMap { index in
      guard let name = reader.string(path.appending(index)), !own.contains(name) else { return nil }
      if let contract = known.contracts.first(where: { $0.name == name }) { return contract }
      let names = known.contracts.map { $0.name }.sorted().joined(separator: ", ")
      reader.fail(
        path.appending(index), "This host has no service “\(name.prefix(100))”.", "The services are \(names).")
      return nil
    }
  }

  private mutating func common() -> [any ServiceContract.Type] { contracts(base.appending("Common")) }

  private mutating func services(_ schemas: MethodSchemas) -> [any ServiceContract.Type]? {
    let path = base.appending("Services")
    guard reader.value(path) != nil else { return nil }
    return contracts(path, own: [prefix])
  }

  private mutating func permissions(_ path: PropertyListKeyPath) -> [String]? {
    guard reader.value(path) != nil else { return nil }
    return reader.indices(path).compactMap { index in
      guard let name = reader.string(path.appending(index)) else { return nil }
      if PermissionKind.named(name) != nil { return name }
      let names = PermissionKind.all.map(\.name).joined(separator: ", ")
      reader.fail(path.appending(index), "“\(name.prefix(100))” is not a permission.", "Use one of \(names).")
      return nil
    }
  }

  /// Rows can only ask for more than the services themselves do.
  private mutating func access() -> [Allowlist.Row] {
    let path = base.appending("Access")
    // Of a point that the program was built with, its own rows count.
    if isCompiled { return [] }
    return reader.indices(path).compactMap { index in
      let place = path.appending(index)
      guard let method = reader.required(place.appending("Method"), "Name a method, or a service: defaults/*.") else {
        return nil
      }
      let named = permissions(place.appending("Permissions")) ?? []
      let entitlement = reader.string(place.appending("Entitlement"))
      let rule = reader.string(place.appending("Rule")) ?? "The extension point \(identifier) decides about it."
      if method.hasPrefix("\(prefix)/") { return nil }
      guard let row = known.row(of: method), row.points == nil else {
        reader.fail(
          place.appending("Method"), "This host has no service of that name that is open to every extension point.",
          "Name a method of a service that “host api” shows as open to all.")
        return nil
      }
      guard row.entitlement == nil || row.entitlement == entitlement else {
        reader.fail(
          place.appending("Entitlement"), "\(method) needs the entitlement \(row.entitlement ?? "") at every point.",
          "Name it here, too.")
        return nil
      }
      let missing = row.permissions.filter { !named.contains($0) }
      guard missing.isEmpty else {
        reader.fail(
          place.appending("Permissions"),
          "\(method) needs the user's consent at every point: \(missing.joined(separator: ", ")).", "Name it here, too."
        )
        return nil
      }
      return Allowlist.Row(method, nil, entitlement, permissions: named, String(rule.prefix(200)))
    }
  }

  private mutating func manifestKeys() -> [ManifestKey] {
    let path = base.appending("Manifest")
    return reader.indices(path).compactMap { index in
      let place = path.appending(index)
      guard let name = reader.required(place.appending("Key"), "Name the key.") else { return nil }
      let type = word(place.appending("Type"), among: ManifestKey.ValueType.words.map { ($0, $1) }) ?? .any
      var places: ManifestKey.Places = []
      for index in reader.indices(place.appending("Places")) {
        let words = ManifestKey.Places.words.map { ($0, $1) }
        if let found = word(place.appending("Places").appending(index), among: words) { places.insert(found) }
      }
      let isRequired = reader.bool(place.appending("Required")) ?? false
      if !isCompiled, ["NS", "CF", "UI", "UT", "EX", "PH"].contains(where: { name.hasPrefix($0) }) {
        reader.fail(
          place.appending("Key"), "The key “\(name.prefix(100))” is named as Apple's keys are.",
          "Begin it with a word of the point's own.")
      }
      let key = ManifestKey(String(name.prefix(100)), type, in: places.isEmpty ? .attributes : places)
      return isRequired ? key.required() : key
    }
  }
}
