package import JSON
import Text

/// One version of a bundle in an index: a line of JSON in the file of its name.
///
/// Nothing of it is believed of a bundle but which one to fetch: what was fetched has to say the same of itself, by its
/// seal and its manifest.
package struct IndexLine: Sendable, Hashable {
  /// `CFBundleIdentifier`.
  package var identifier: String
  /// `CFBundleVersion`.
  package var version: String
  /// The name for people.
  package var title: String
  /// What names the sealed bundle and no other.
  package var digest: String
  /// The bytes of its archive.
  package var size: Int64
  /// The fingerprint of the team that signed.
  package var team: String
  /// What the team calls itself.
  package var teamName: String
  /// The fingerprint of the key that signed.
  package var key: String
  /// What the bundle asks for, one word or phrase each.
  package var asks: [String]
  /// The short names of the extension points.
  package var points: [String]
  /// When it was published first, in seconds since 1970.
  package var published: Int64
  /// Why the version is not to be installed any more; `nil` for one that may be.
  package var yanked: String?

  /// Describes a version. What is for people is cut to what a reader takes: a character may have many bytes, and a line
  /// that cannot be read damages the index.
  package init(
    identifier: String, version: String, title: String, digest: String, size: Int64, team: String, teamName: String,
    key: String, asks: [String], points: [String], published: Int64, yanked: String? = nil
  ) {
    (self.identifier, self.version, self.digest, self.size) = (identifier, version, digest, size)
    (self.team, self.key, self.points, self.published) = (team, key, points, published)
    self.title = (title.isEmpty ? identifier : title).prefix(utf8: Self.longestText)
    self.teamName = teamName.prefix(utf8: Self.longestText)
    self.asks = asks.map { $0.prefix(utf8: Self.longestWish) }
    self.yanked = yanked
  }

  // MARK: Names

  /// The most bytes of a file of lines.
  package static let limit = 4 << 20
  private static let mostLines = 20_000
  /// The most bytes of a text, and of one of the things that a bundle asks for.
  private static let (longestText, longestWish) = (255, 512)

  /// The path of the file of a name, as it stands in the metadata.
  package static func file(of identifier: String) -> String { "names/\(identifier)" }
  /// The path of the archive.
  package var archive: String { "archives/\(digest).tar" }
  /// The file with the newest version of each name.
  package static let catalogue = "catalogue"
  /// The file with what teams have said of keys and bundles.
  package static let statements = "statements"

  /// Whether a text can be the name of a bundle in an index: letters, digits, hyphens and dots, at most 155 bytes.
  package static func isName(_ text: String) -> Bool {
    (1...155).contains(text.utf8.count) && !text.hasPrefix(".") && !text.contains("..")
      && text.utf8.allSatisfy {
        switch $0 {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E: true
        default: false
        }
      }
  }

  // MARK: Text

  /// Reads a file of lines.
  ///
  /// - Returns: `nil` for anything else.
  package static func lines(_ bytes: [UInt8]) -> [IndexLine]? {
    guard bytes.count <= limit else { return nil }
    let texts = bytes.split(separator: 0x0A)
    guard texts.count <= mostLines else { return nil }
    let lines = texts.compactMap { IndexLine(Array($0)) }
    return lines.count == texts.count ? lines : nil
  }

  /// The file of some lines.
  package static func bytes(_ lines: [IndexLine]) -> [UInt8] {
    Array(lines.map { JSONCoding.text(of: $0.json) + "\n" }.joined().utf8)
  }

  private init?(_ line: [UInt8]) {
    guard let value = try? JSONCoding.parse(line, maximumDepth: 4) else { return nil }
    func text(_ name: String) -> String? {
      value[name]?.stringValue.flatMap { $0.isEmpty || $0.utf8.count > Self.longestText ? nil : $0 }
    }
    func texts(_ name: String) -> [String]? {
      guard let list = value[name]?.arrayValue, list.count <= 256 else { return nil }
      let texts = list.compactMap(\.stringValue).filter { $0.utf8.count <= Self.longestWish }
      return texts.count == list.count ? texts : nil
    }
    guard let identifier = text("name"), Self.isName(identifier), let version = text("version"),
      let title = text("title"), let digest = text("digest"), Self.isDigest(digest), let team = text("team"),
      Self.isDigest(team), let teamName = text("teamName"), let key = text("key"), Self.isDigest(key),
      let asks = texts("asks"), let points = texts("points"),
      let size = value["size"]?.integerValue, (0...(8 << 30)).contains(size),
      let published = value["published"]?.integerValue, (0...253_402_300_799).contains(published)
    else { return nil }
    self.init(
      identifier: identifier, version: version, title: title, digest: digest, size: size, team: team,
      teamName: teamName, key: key, asks: asks, points: points, published: published,
      yanked: value["yanked"].map { String(($0.stringValue ?? "").prefix(500)) })
  }

  private static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// The line as a JSON object.
  package var json: JSONValue {
    var object: JSONObject = [
      "name": .string(identifier), "version": .string(version), "title": .string(title), "digest": .string(digest),
      "size": .integer(size), "team": .string(team), "teamName": .string(teamName), "key": .string(key),
      "asks": .array(asks.map { .string($0) }), "points": .array(points.map { .string($0) }),
      "published": .integer(published),
    ]
    if let yanked { object["yanked"] = .string(yanked) }
    return .object(object)
  }
}
