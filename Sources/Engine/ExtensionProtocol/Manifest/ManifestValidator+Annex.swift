import PropertyList

/// The dictionaries that are this project's own, and type declarations.
extension ManifestValidator {
  static let groupsKey = "com.apple.security.application-groups"

  mutating func readEntitlements(_ manifest: inout Manifest) {
    let root = PropertyListKeyPath("Entitlements")
    guard reader.root["Entitlements"] != nil, reader.dictionary(root) != nil else { return }
    let path = root.appending(Self.groupsKey)
    for index in reader.indices(path) {
      guard let group = reader.string(path.appending(index)) else { continue }
      if !ManifestNames.isAppGroup(group) {
        reader.fail(
          path.appending(index), "“\(group)” is not an app group.",
          "Write “group.” and then a bundle identifier: group.com.example.notes.")
      } else if !manifest.appGroups.contains(group) {
        manifest.appGroups.append(group)
      }
    }
  }

  mutating func readAnnex(_ manifest: inout Manifest) {
    let root = PropertyListKeyPath("Annex")
    guard reader.root["Annex"] != nil, reader.dictionary(root) != nil else { return }
    readFraming(&manifest, root.appending("Framing"))
    readInterpreter(&manifest, root.appending("Interpreter"))
    readArguments(&manifest, root.appending("InterpreterArguments"))
    readProducts(&manifest, root.appending("Products"))
    readLimits(&manifest, root.appending("Limits"))
    readNetwork(&manifest, root.appending("Network"))
    readAuth(&manifest, root.appending("Auth"))
    readDataConnect(&manifest, root.appending("DataConnect"))
    readIdentity(&manifest, root.appending("Identity"))
    readLibraries(&manifest, root.appending("ExtensionSafe"))
    let path = root.appending("Entitlements")
    for index in reader.indices(path) {
      guard let name = reader.string(path.appending(index)) else { continue }
      if !ManifestNames.isFeature(name) {
        reader.fail(
          path.appending(index), "“\(name)” is not the name of a feature.",
          "Name a feature by its method prefix: “defaults” for defaults/get.")
      } else if !manifest.entitlements.contains(name) {
        manifest.entitlements.append(name)
      }
    }
    readContent(&manifest, root.appending("Content"))
    checkGeneratedCode(manifest)
  }

  private mutating func readContent(_ manifest: inout Manifest, _ path: PropertyListKeyPath) {
    guard reader.value(path) != nil else { return }
    var patterns: [ContentQueryPattern] = []
    for index in reader.indices(path) {
      guard let text = reader.string(path.appending(index)) else { continue }
      if let pattern = ContentQueryPattern(text) {
        if !patterns.contains(pattern) { patterns.append(pattern) }
      } else {
        reader.fail(
          path.appending(index), "“\(text)” is not the path of a persisted query.",
          "Write configuration/query, or configuration/* for all of a configuration.")
      }
    }
    manifest.contentQueries = patterns
  }

  private mutating func readDataConnect(_ manifest: inout Manifest, _ path: PropertyListKeyPath) {
    let indices = reader.indices(path)
    if indices.count > DataConnectorEntry.most {
      reader.fail(
        path, "There are \(indices.count) entries, more than \(DataConnectorEntry.most).",
        "Put operations of one service into one connector.")
    }
    for index in indices.prefix(DataConnectorEntry.most) {
      guard let text = reader.string(path.appending(index)) else { continue }
      guard let entry = DataConnectorEntry(text) else {
        reader.fail(
          path.appending(index), "“\(text.prefix(200))” names no connector.",
          "Write service/connector, or service/connector:read for queries alone.")
        continue
      }
      let same = manifest.dataConnectors.firstIndex { $0.path == entry.path }
      if let same {
        // The right to write includes the right to read.
        if manifest.dataConnectors[same].isReadOnly { manifest.dataConnectors[same] = entry }
      } else {
        manifest.dataConnectors.append(entry)
      }
    }
  }

  /// An interpreter that compiles scripts while they run ends at its first line in the sandbox.
  private mutating func checkGeneratedCode(_ manifest: Manifest) {
    guard let interpreter = manifest.interpreter, !manifest.asksToGenerateCode,
      let fault = GeneratingInterpreter.fault(of: interpreter, arguments: manifest.interpreterArguments)
    else { return }
    reader.fail(PropertyListKeyPath("Annex", "Interpreter"), fault.message, fault.recovery)
  }

  private mutating func readLibraries(_ manifest: inout Manifest, _ path: PropertyListKeyPath) {
    for index in reader.indices(path) {
      guard let name = reader.string(path.appending(index)) else { continue }
      if ManifestNames.isPathBelow(name) {
        manifest.extensionSafeLibraries.append(name)
      } else {
        reader.fail(
          path.appending(index), "“\(name)” does not stay inside the bundle.",
          "Name the library by its path below the bundle: Frameworks/libnotes.so.")
      }
    }
  }

  private mutating func readFraming(_ manifest: inout Manifest, _ path: PropertyListKeyPath) {
    guard let text = reader.string(path) else { return }
    if let framing = Manifest.Framing(rawValue: text) {
      manifest.framing = framing
    } else {
      reader.fail(path, "“\(text)” is not a framing.", "Write “lines” or “content-length”.")
    }
  }

  private mutating func readInterpreter(_ manifest: inout Manifest, _ path: PropertyListKeyPath) {
    guard let text = reader.string(path) else { return }
    // A bare name would be searched for along a path, which a sandbox does not have.
    if ManifestNames.isAbsolutePath(text) || (text.contains("/") && ManifestNames.isPathBelow(text)) {
      manifest.interpreter = text
    } else {
      let advice = ManifestNames.isPathBelow(text) ? "/usr/bin/\(text)" : "/usr/bin/python3"
      reader.fail(
        path, "“\(text)” is neither an absolute path nor one below the bundle.",
        "Write the interpreter's full path, \(advice) for example, or its path in the bundle: venv/bin/python3.")
    }
  }

  private mutating func readArguments(_ manifest: inout Manifest, _ path: PropertyListKeyPath) {
    let arguments = reader.strings(path)
    guard !arguments.isEmpty else { return }
    for (index, argument) in arguments.enumerated() where !ManifestNames.isArgument(argument) {
      reader.fail(
        path.appending(index), "The argument is longer than 1,024 bytes, or has control characters.",
        "Write what the interpreter's own documentation names: -u, for example.")
    }
    guard arguments.count <= 64 else {
      return reader.fail(
        path, "There are \(arguments.count) arguments, more than 64.", "Give the script a file of settings.")
    }
    if reader.value(PropertyListKeyPath("Annex", "Interpreter")) == nil {
      reader.warn(path, "Without an interpreter these arguments have no effect.", "Name it under Annex.Interpreter.")
    }
    manifest.interpreterArguments = arguments
  }

  private mutating func readProducts(_ manifest: inout Manifest, _ path: PropertyListKeyPath) {
    guard let text = reader.string(path) else { return }
    if ManifestNames.isArgument(text) {
      manifest.products = text
    } else {
      reader.fail(
        path, "The path is longer than 1,024 bytes, or has control characters.",
        "Name the folder of built products: ../.build/debug.")
    }
  }

  private mutating func readNetwork(_ manifest: inout Manifest, _ path: PropertyListKeyPath) {
    for index in reader.indices(path) {
      guard let text = reader.string(path.appending(index)) else { continue }
      if let host = NetworkServer(text) {
        if !manifest.networkHosts.contains(host) { manifest.networkHosts.append(host) }
      } else {
        reader.fail(
          path.appending(index), "“\(text)” names no server.",
          "Write a host, with a scheme and a port where needed: api.example.com, *.example.org:8443, http://localhost:*."
        )
      }
    }
  }

  private mutating func readLimits(_ manifest: inout Manifest, _ path: PropertyListKeyPath) {
    guard reader.root.node(at: path) != nil, let limits = reader.dictionary(path) else { return }
    for (key, place) in ManifestTable.limitPlaces where limits[key.name] != nil {
      manifest.limits[keyPath: place] = reader.positive(path.appending(key.name))
    }
  }

  /// The identifiers that begin with `public.` are the system's.
  private mutating func checkTypeName(_ identifier: String, _ path: PropertyListKeyPath) -> Bool {
    guard ManifestNames.isIdentifier(identifier) else {
      reader.fail(
        path, "“\(identifier)” is not a type identifier.",
        "Use letters, digits and hyphens in components joined by dots: com.example.note.")
      return false
    }
    guard !identifier.lowercased().hasPrefix("public.") else {
      reader.fail(
        path, "“\(identifier)” is one of the system's types, which no manifest declares.",
        "Leave the declaration out, or give the type a name of your own.")
      return false
    }
    return true
  }

  mutating func typeDeclarations() -> [Manifest.TypeDeclaration] {
    var declarations: [Manifest.TypeDeclaration] = []
    for key in ["UTExportedTypeDeclarations", "UTImportedTypeDeclarations"] {
      let path = PropertyListKeyPath(key)
      for index in reader.indices(path) {
        let element = path.appending(index)
        let tags = element.appending("UTTypeTagSpecification")
        let identifier = reader.required(element.appending("UTTypeIdentifier"), "Name the type: com.example.note.")
        let parents = reader.stringOrStrings(element.appending("UTTypeConformsTo"))
        let names = reader.stringOrStrings(tags.appending("public.filename-extension"))
        let mimeTypes = reader.stringOrStrings(tags.appending("public.mime-type"))
        guard let identifier else { continue }
        guard checkTypeName(identifier, element.appending("UTTypeIdentifier")) else { continue }
        declarations.append(
          .init(identifier: identifier, conformsTo: parents, filenameExtensions: names, mimeTypes: mimeTypes))
      }
    }
    return declarations
  }
}
