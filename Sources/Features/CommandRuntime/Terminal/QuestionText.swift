import CommandLineTool
import ExtensionHosting
import ExtensionProtocol

/// What a user reads of a question about a permission, and the word that allows it.
struct QuestionText: Sendable {
  private let question: PermissionQuestion
  /// What has to be typed to allow: chosen anew for each question, and no part of what the extension says in it.
  let word: String

  init(_ question: PermissionQuestion) {
    self.question = question
    let said = ([question.reason, question.caller.displayName, question.caller.id] + question.scope)
      .joined(separator: " ").lowercased()
    word = Self.word(isSaid: { said.contains($0) })
  }

  /// A word that nobody knows before. Words that the extension says itself are not passed over for others: what it does not
  /// say would be left, and so foreseen. Such a word gets digits.
  ///
  /// - Parameter isSaid: whether the extension, or its manifest, says a word.
  private static func word(isSaid: (String) -> Bool) -> String {
    var word = words.randomElement() ?? "allow"
    while isSaid(word), word.utf8.count < 32 { word += String(Int.random(in: 0...9)) }
    return word
  }

  /// The extension by name and identifier, and what it asks for. A name may be as long as it likes, and is cut.
  private var head: ShownText {
    let name = cut("\(question.caller.displayName)", toWidth: 60)
    return "\(name) (\(question.caller.id)) asks for “\(question.permission.name)”"
  }

  /// The lines of the question. Nothing of what the extension or its manifest says moves the first line or the last off a
  /// screen of this size.
  func lines(in size: TerminalSize) -> [ShownText] {
    let columns = max(1, size.columns - 1)
    let origin = cut("\(question.caller.origin)", toWidth: 100)
    var allowed: ShownText = "  \(question.permission.allows)"
    if question.permission.name == PermissionKind.auth.name {
      allowed = "\(allowed) App: \(question.caller.containingApp)."
    }
    var lines: [ShownText] = ["\(head).", allowed, "  Signed by: \(origin)"]
    let end: ShownText = "Type “\(word)” to allow, “no” to refuse, or press Enter to decide later:"
    if !question.reason.isEmpty { lines.append("  It says: \(question.reason)") }
    if !question.scope.isEmpty {
      let used = (lines + [end]).reduce(0) { $0 + wrapped($1, toWidth: columns, long: broken).count }
      lines.insert(scope(columns, lines: max(1, size.lines - used - 4)), at: 3)
    }
    return lines + [end]
  }

  /// What the manifest names, and how much of it does not fit.
  private func scope(_ columns: Int, lines space: Int) -> ShownText {
    var count = question.scope.count
    while count > 0 {
      let rest = question.scope.count - count
      let named = ShownText(whole: question.scope.prefix(count).joined(separator: ", "))
      let more: ShownText = rest > 0 ? " and \(rest) more: “host permissions \(question.caller.id)”" : ""
      let line: ShownText = "  Its manifest names: \(named)\(more)"
      if wrapped(line, toWidth: columns, long: broken).count <= space { return line }
      count -= max(1, count / 8)
    }
    return "  Its manifest names \(question.scope.count) parts: “host permissions \(question.caller.id)” shows them."
  }

  /// What stays on the screen.
  func outcome(_ answer: Consent.Answer) -> ShownText {
    switch answer {
    case .granted: "\(head): allowed."
    case .grantedOnce: "\(head): allowed once."
    case .grantedForSession: "\(head): allowed for this session."
    case .denied: "\(head): refused."
    case .dismissed: "\(head): not decided."
    }
  }

  /// Short words that any keyboard types, and that answer nothing else.
  static let words = """
    acorn agate almond amber anchor apple apron arrow aspen badge bagel bamboo barley basil beacon beetle birch bison \
    blanket bottle branch breeze brick bridge bucket butter button cabin cactus camel candle canoe canvas carbon carrot \
    castle cedar cello chalk cherry clover cobalt cocoa comet copper coral cotton cradle crane crayon cricket crystal \
    daisy denim desert dingo dolphin donkey dragon drum eagle earth ebony echo elbow ember engine falcon feather fennel \
    ferry fiddle finch flame flute forest fossil garlic garnet gecko ginger glacier glove goose grape gravel hammer \
    harbor hazel heron hickory honey hornet igloo indigo island ivory jacket jasmine jigsaw jungle kayak kettle kitten \
    ladder lagoon lantern lemon lilac linen lizard lobster lotus magnet mango maple marble meadow melon mitten mosaic \
    muffin mustard nectar needle nickel nutmeg oasis ocean olive onion opal orange orchid otter oyster paddle panda \
    papaya parrot pebble pencil pepper piano pigeon pillow planet plum pocket pollen poppy potato puffin pumpkin puzzle \
    quartz quilt rabbit radish raisin raven ribbon river rocket rubber saddle saffron salmon sandal sapphire satin \
    scarf shadow silver sparrow spider spinach spruce squash stone summit sunset table tailor teapot thistle thunder \
    tiger timber tomato topaz trumpet tulip tundra turnip turtle umber valley vanilla velvet violet violin walnut \
    walrus wander willow window winter wizard yellow zebra zipper
    """.split(separator: " ").map(String.init)
}
