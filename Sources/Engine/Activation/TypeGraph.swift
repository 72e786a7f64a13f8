import Text

/// Uniform type identifiers, what each conforms to, and their filename extensions and MIME types.
///
/// Identifiers compare without case. A type conforms to itself; a type that is not known conforms to nothing else.
package struct TypeGraph: Sendable, Hashable {
  /// A type that a manifest adds (`UTExportedTypeDeclarations`, `UTImportedTypeDeclarations`).
  package struct Declaration: Sendable, Hashable {
    /// The identifier (`UTTypeIdentifier`).
    package let identifier: String
    /// The identifiers of the types that this type conforms to (`UTTypeConformsTo`).
    package let conformsTo: [String]
    /// The tags `public.filename-extension`, without dots.
    package let filenameExtensions: [String]
    /// The MIME types: the tags `public.mime-type`.
    package let mimeTypes: [String]

    /// Creates a declaration.
    package init(identifier: String, conformsTo: [String], filenameExtensions: [String], mimeTypes: [String]) {
      self.identifier = identifier
      self.conformsTo = conformsTo
      self.filenameExtensions = filenameExtensions
      self.mimeTypes = mimeTypes
    }
  }

  /// The parents of every known type, by identifier in lower case.
  private var parents: [String: [String]] = [:]
  /// The identifiers as they were first spelt.
  private var spellings: [String: String] = [:]
  private var typesByExtension: [String: String] = [:]
  private var typesByMIMEType: [String: String] = [:]
  /// A number that differs between graphs with different declarations; 0 for the system's types alone.
  package private(set) var revision: UInt64 = 0

  /// The graph of the system's types.
  package static let standard = TypeGraph()

  private init() {
    for (parents, children) in StandardTypes.conformance + StandardTypes.imported {
      for child in children.split(separator: " ") {
        declare(String(child), parents.split(separator: " ").map(String.init))
      }
    }
    for (type, extensions, mimeTypes) in StandardTypes.tags {
      tag(type, extensions.split(separator: " ").map(String.init), mimeTypes.split(separator: " ").map(String.init))
    }
  }

  private mutating func declare(_ identifier: String, _ conformsTo: [String]) {
    let key = identifier.lowercased()
    parents[key, default: []] += conformsTo.map { $0.lowercased() }
    for name in [identifier] + conformsTo where spellings[name.lowercased()] == nil {
      spellings[name.lowercased()] = name
    }
  }

  private mutating func tag(_ type: String, _ extensions: [String], _ mimeTypes: [String]) {
    for name in extensions where typesByExtension[name.lowercased()] == nil {
      typesByExtension[name.lowercased()] = type
    }
    for name in mimeTypes where typesByMIMEType[name.lowercased()] == nil { typesByMIMEType[name.lowercased()] = type }
  }

  /// The graph with more types. The system's types keep what they conform to: a declaration of one of them changes
  /// nothing.
  package func adding(_ declarations: [Declaration]) -> TypeGraph {
    var graph = self
    for declaration in declarations where parents[declaration.identifier.lowercased()] == nil {
      graph.declare(declaration.identifier, declaration.conformsTo)
      graph.tag(declaration.identifier, declaration.filenameExtensions, declaration.mimeTypes)
      graph.advance(over: declaration)
    }
    return graph
  }

  /// FNV-1a over what the declaration says.
  private mutating func advance(over declaration: Declaration) {
    let lists = [declaration.conformsTo, declaration.filenameExtensions, declaration.mimeTypes]
    let text = ([declaration.identifier] + lists.map { $0.joined(separator: ",") }).joined(separator: "\n") + "\0"
    revision = text.utf8.reduce(revision == 0 ? 0xcbf2_9ce4_8422_2325 : revision) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
  }

  // MARK: Conformance

  /// Whether a type is another one or conforms to it, directly or through others.
  package func conforms(_ type: String, to other: String) -> Bool {
    let wanted = other.lowercased()
    return firstAncestor(of: type.lowercased()) { $0 == wanted } != nil
  }

  /// Every type that a type conforms to, the nearest first, itself included.
  package func ancestors(of type: String) -> [String] {
    var found: [String] = []
    _ = firstAncestor(of: type.lowercased()) { name in
      found.append(spellings[name] ?? name)
      return false
    }
    return found.isEmpty || parents[type.lowercased()] == nil ? [type] : found
  }

  /// The types that a type names as those it conforms to.
  package func parents(of type: String) -> [String] {
    (parents[type.lowercased()] ?? []).map { spellings[$0] ?? $0 }
  }

  /// Every known type that conforms to a type, itself included, sorted.
  package func types(conformingTo type: String) -> [String] { identifiers.filter { conforms($0, to: type) } }

  /// The identifier as it was first spelt, when the type is known.
  package func spelling(of type: String) -> String? { spellings[type.lowercased()] }

  /// Searches breadth first; a cycle, which manifests can declare, is walked once.
  private func firstAncestor(of type: String, where condition: (String) -> Bool) -> String? {
    var seen: Set = [type]
    var queue = [type][...]
    while let next = queue.popFirst() {
      if condition(next) { return next }
      for parent in parents[next] ?? [] where seen.insert(parent).inserted { queue.append(parent) }
    }
    return nil
  }

  /// Whether the type is known.
  package func knows(_ type: String) -> Bool { spelling(of: type) != nil }

  /// Whether the type is declared, not only named as a parent.
  package func knows(declared type: String) -> Bool { parents[type.lowercased()] != nil }

  /// Every known identifier, sorted.
  package var identifiers: [String] { spellings.values.sorted() }

  // MARK: Tags

  /// The type of a filename extension, without its dot; case does not matter.
  package func type(forFilenameExtension name: some StringProtocol) -> String? { typesByExtension[name.lowercased()] }

  /// The type of a MIME type; parameters after `;` are ignored.
  package func type(forMIMEType name: some StringProtocol) -> String? {
    let essence = name.prefix { $0 != ";" && !$0.isWhitespace }
    return typesByMIMEType[essence.lowercased()]
  }

  /// The type of a file by its name: by the last extension, else `public.data`.
  package func type(forFileNamed name: some StringProtocol) -> String {
    let last = name.pathParts().last ?? ""
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return "public.data" }
    return type(forFilenameExtension: last[last.index(after: dot)...]) ?? "public.data"
  }

  /// The filename extensions of a type, sorted.
  package func filenameExtensions(of type: String) -> [String] { tags(of: type, in: typesByExtension) }

  /// The MIME types of a type, sorted.
  package func mimeTypes(of type: String) -> [String] { tags(of: type, in: typesByMIMEType) }

  private func tags(of type: String, in table: [String: String]) -> [String] {
    let wanted = type.lowercased()
    return table.filter { $0.value.lowercased() == wanted }.keys.sorted()
  }
}
