import Cryptography
import JSON

/// The files of an index with length and digests, and who else may describe some of them (4.5 of the specification).
struct TargetsMetadata: Sendable {
  /// A role that may describe some of the files.
  struct Delegation: Sendable {
    let name: String
    let role: MetadataRole
    let isTerminating: Bool
    fileprivate let paths: [String]
    fileprivate let prefixes: [String]

    /// Whether the role may describe a file.
    func covers(_ path: String) -> Bool {
      if !prefixes.isEmpty {
        let digest = SHA256.hexadecimal(of: path.utf8)
        return prefixes.contains { digest.hasPrefix($0) }
      }
      return paths.contains { PathPattern.matches($0, path) }
    }
  }

  let header: MetadataHeader
  /// Descriptions by path.
  let files: [String: FileDescription]
  /// In the order in which they are searched.
  let delegations: [Delegation]
  let keys: [String: MetadataKey]

  init(_ metadata: SignedMetadata) throws(MetadataError) {
    header = try MetadataHeader(metadata, type: "targets")
    let (file, signed) = (metadata.file, metadata.signed)
    guard let members = signed["targets"]?.objectValue, members.count <= 100_000 else {
      throw MetadataError(.malformed, file, "\(file) has no files, or too many.")
    }
    var files: [String: FileDescription] = [:]
    for (path, value) in members {
      guard let description = FileDescription(value, limit: MetadataLimits.file), description.length != nil,
        !description.hashes.isEmpty
      else { throw MetadataError(.malformed, file, "\(file) describes a file without its length or a known digest.") }
      files[path] = description
    }
    self.files = files
    guard let delegations = signed["delegations"] else {
      (self.delegations, keys) = ([], [:])
      return
    }
    guard let keys = MetadataRole.keys(delegations["keys"]), let roles = delegations["roles"]?.arrayValue,
      roles.count <= 1_024
    else { throw MetadataError(.malformed, file, "\(file) does not say whom it delegates to.") }
    self.keys = keys
    let read = roles.compactMap(Self.delegation)
    guard read.count == roles.count, Set(read.map(\.name)).count == read.count else {
      throw MetadataError(.malformed, file, "\(file) delegates to a role that it does not describe, or twice.")
    }
    self.delegations = read
  }

  private static func delegation(_ value: JSONValue) -> Delegation? {
    guard let name = value["name"]?.stringValue, (1...64).contains(name.utf8.count),
      !RootMetadata.roles.contains(name), let role = MetadataRole(value)
    else { return nil }
    func texts(_ key: String) -> [String]? {
      guard let list = value[key] else { return [] }
      guard let values = list.arrayValue, values.count <= 1_024 else { return nil }
      let texts = values.compactMap(\.stringValue)
      return texts.count == values.count && texts.allSatisfy { $0.utf8.count <= 1_024 } ? texts : nil
    }
    guard let paths = texts("paths"), let prefixes = texts("path_hash_prefixes"), paths.isEmpty || prefixes.isEmpty
    else { return nil }
    return Delegation(
      name: name, role: role, isTerminating: value["terminating"]?.boolValue ?? false, paths: paths,
      prefixes: prefixes)
  }
}

/// The patterns by which files are delegated: `*` and `?` match within one component of a path, every other character itself.
enum PathPattern {
  static func matches(_ pattern: String, _ path: String) -> Bool {
    let patterns = pattern.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
    let components = path.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
    guard patterns.count == components.count else { return false }
    return zip(patterns, components).allSatisfy { matches(Array($0), Array($1)) }
  }

  /// In time of the product of the lengths: only the last star is ever gone back to.
  private static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
    var (at, place) = (0, 0)
    var star: (pattern: Int, text: Int)?
    while place < text.count {
      if at < pattern.count, pattern[at] == UInt8(ascii: "*") {
        star = (at, place)
        at += 1
      } else if at < pattern.count, pattern[at] == UInt8(ascii: "?") || pattern[at] == text[place] {
        at += 1
        place += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        (at, place) = (last.pattern + 1, last.text + 1)
      } else {
        return false
      }
    }
    return pattern[at...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
