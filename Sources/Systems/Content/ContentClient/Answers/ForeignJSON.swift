internal import JSON

/// JSON of a server as browsers read it. AEM's own clients run in those, and so answers stand that the grammar, or our
/// reader, would refuse: a byte order mark before the text, a member that comes twice (the last one counts), and half of a
/// surrogate pair (which becomes U+FFFD).
enum ForeignJSON {
  static func parse(_ body: [UInt8], maximumDepth: Int) throws(JSONError) -> JSONValue {
    do throws(JSONError) {
      return try JSONCoding.parse(body, maximumDepth: maximumDepth)
    } catch {
      switch error.reason {
      case .byteOrderMark, .loneSurrogate, .duplicateKey: break
      default: throw error
      }
    }
    var scan = Scan(body)
    return try JSONCoding.parse(scan.repaired(), maximumDepth: maximumDepth)
  }

  /// One walk over the text, which does not check it: what is wrong besides is left for the reader.
  private struct Scan {
    /// An object that is open, or an array.
    private struct Level {
      let isObject: Bool
      /// Where the current member begins.
      var start: Int
      /// Where each member is among those that were seen, by its name.
      var names: [String: Int] = [:]
      var expectsName: Bool
    }

    private let text: [UInt8]
    private var at = 0
    private var levels: [Level] = []
    /// From the beginning of a member to behind its comma; the end is 0 while it is open.
    private var members: [(start: Int, end: Int)] = []
    private var dropped: [(start: Int, end: Int)] = []
    /// Where `\uXXXX` is half of a pair.
    private var halves: [Int] = []
    /// The open members, innermost last.
    private var open: [Int] = []

    init(_ text: [UInt8]) { self.text = text }

    mutating func repaired() -> [UInt8] {
      if text.starts(with: [0xEF, 0xBB, 0xBF]) { dropped.append((0, 3)) }
      while at < text.count {
        switch text[at] {
        case 0x22: string()
        case 0x7B: levels.append(Level(isObject: true, start: at + 1, expectsName: true))
        case 0x5B: levels.append(Level(isObject: false, start: at + 1, expectsName: false))
        case 0x2C: comma()
        case 0x7D, 0x5D: if let level = levels.popLast(), level.isObject, !level.expectsName { _ = open.popLast() }
        default: break
        }
        at += 1
      }
      return joined()
    }

    private mutating func comma() {
      let last = levels.count - 1
      guard last >= 0, levels[last].isObject else { return }
      if !levels[last].expectsName, let member = open.popLast() { members[member].end = at + 1 }
      levels[last].start = at + 1
      levels[last].expectsName = true
    }

    /// At its first quote; leaves at its last.
    private mutating func string() {
      let first = at
      at += 1
      while at < text.count, text[at] != 0x22 {
        if text[at] == 0x5C { escape() } else { at += 1 }
      }
      let last = levels.count - 1
      guard last >= 0, levels[last].expectsName, at < text.count else { return }
      levels[last].expectsName = false
      let written = Array(text[first...at])
      let name = (try? JSONCoding.parse(written))?.stringValue ?? String(decoding: written, as: UTF8.self)
      if let earlier = levels[last].names.updateValue(members.count, forKey: name), members[earlier].end > 0 {
        dropped.append(members[earlier])
      }
      open.append(members.count)
      members.append((levels[last].start, 0))
    }

    private mutating func escape() {
      guard at + 1 < text.count, text[at + 1] == 0x75, let unit = unit(at) else { return at += 2 }
      if unit & 0xFC00 == 0xD800, let next = self.unit(at + 6), next & 0xFC00 == 0xDC00 { return at += 12 }
      if unit & 0xF800 == 0xD800 { halves.append(at) }
      at += 6
    }

    /// The number of the `\uXXXX` at a place.
    private func unit(_ place: Int) -> Int? {
      guard place + 6 <= text.count, text[place] == 0x5C, text[place + 1] == 0x75 else { return nil }
      return Int(String(decoding: text[(place + 2)..<(place + 6)], as: UTF8.self), radix: 16)
    }

    private func joined() -> [UInt8] {
      var text = text
      for half in halves { text.replaceSubrange((half + 2)..<(half + 6), with: Array("FFFD".utf8)) }
      var result: [UInt8] = []
      var place = 0
      for part in dropped.sorted(by: { $0.start < $1.start }) where part.end > place {
        if part.start > place { result += text[place..<part.start] }
        place = part.end
      }
      return result + text[place...]
    }
  }
}
