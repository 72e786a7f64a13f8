import Activation
import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An activation rule` {
  static func rule(_ keys: [String: PropertyListValue]) -> PropertyListValue {
    .dictionary(Dictionary(uniqueKeysWithValues: keys.map { ("NSExtensionActivation\($0.key)", $0.value) }))
  }

  static let jpeg = ActivationAttachment(["public.jpeg"])
  static let jpegFile = ActivationAttachment(
    ["public.jpeg", "public.file-url"], isFile: true)
  static let text = ActivationAttachment(["public.plain-text"])
  static let textFile = ActivationAttachment(["public.plain-text"], isFile: true)
  static let web = ActivationAttachment(["public.url"], urlScheme: "https")
  static let unknownURL = ActivationAttachment(["public.url"])
  static let ftp = ActivationAttachment(["public.url"], urlScheme: "ftp")
  static let fileURL = ActivationAttachment(["public.file-url"], urlScheme: "file")
  static let movie = ActivationAttachment(["com.apple.quicktime-movie"])
  static let page = ActivationAttachment(["com.apple.property-list"], isPageResult: true)
  static let plist = ActivationAttachment(["com.apple.property-list"])
  static let zip = ActivationAttachment(["public.zip-archive"], isFile: true)
  /// Rich content first, with a picture as the second choice.
  static let pdfOrImage = ActivationAttachment(["com.adobe.pdf", "public.png"])
  static let nothing = ActivationAttachment([])

  struct Case: Sendable, CustomTestStringConvertible {
    let sentence: String
    let keys: [String: PropertyListValue]
    let attachments: [ActivationAttachment]
    let isOffered: Bool
    var testDescription: String { sentence }

    init(
      _ sentence: String, _ keys: [String: PropertyListValue], _ attachments: [ActivationAttachment], _ isOffered: Bool
    ) {
      self.sentence = sentence
      self.keys = keys
      self.attachments = attachments
      self.isOffered = isOffered
    }
  }

  static let cases: [Case] = [
    Case("image within the count", ["SupportsImageWithMaxCount": 1], [jpeg], true),
    Case("too many images", ["SupportsImageWithMaxCount": 1], [jpeg, jpeg], false),
    Case("zero is unsupported", ["SupportsImageWithMaxCount": 0], [jpeg], false),
    Case("absent is unsupported", ["SupportsText": true], [jpeg], false),
    Case("false is unsupported", ["SupportsText": false], [text], false),
    Case("text has no count", ["SupportsText": true], Array(repeating: text, count: 50), true),
    Case("movie", ["SupportsMovieWithMaxCount": 2], [movie, movie], true),
    Case("web address", ["SupportsWebURLWithMaxCount": 1], [web], true),
    Case("address of unknown value", ["SupportsWebURLWithMaxCount": 1], [unknownURL], true),
    Case("address of another scheme", ["SupportsWebURLWithMaxCount": 1], [ftp], false),
    Case("file address is not a web address", ["SupportsWebURLWithMaxCount": 1], [fileURL], false),
    Case("file address is a file", ["SupportsFileWithMaxCount": 1], [fileURL], true),
    Case("web page", ["SupportsWebPageWithMaxCount": 1], [page], true),
    Case("property list is not a web page", ["SupportsWebPageWithMaxCount": 1], [plist], false),
    Case("any file", ["SupportsFileWithMaxCount": 1], [zip], true),
    Case("image file falls back to file", ["SupportsFileWithMaxCount": 1], [jpegFile], true),
    Case("image without a file does not", ["SupportsFileWithMaxCount": 1], [jpeg], false),
    Case("text file falls back to file", ["SupportsFileWithMaxCount": 1], [textFile], true),
    Case(
      "explicit 0 does not fall back", ["SupportsFileWithMaxCount": 1, "SupportsImageWithMaxCount": 0], [jpegFile],
      false
    ),
    Case(
      "explicit false does not fall back", ["SupportsFileWithMaxCount": 1, "SupportsText": false], [textFile], false),
    Case("fallbacks share the file's count", ["SupportsFileWithMaxCount": 1], [jpegFile, zip], false),
    Case(
      "own key before the file's", ["SupportsFileWithMaxCount": 1, "SupportsImageWithMaxCount": 1], [jpegFile, zip],
      true),
    Case("version 1 wants all", ["SupportsImageWithMaxCount": 9], [jpeg, text], false),
    Case("version 2 wants one", ["SupportsImageWithMaxCount": 9, "DictionaryVersion": 2], [jpeg, text], true),
    Case(
      "version 2 wants at least one", ["SupportsImageWithMaxCount": 9, "DictionaryVersion": 2], [text, zip], false),
    Case(
      "version 2 counts all the same", ["SupportsImageWithMaxCount": 1, "DictionaryVersion": 2], [jpeg, jpeg, text],
      false
    ),
    Case(
      "strict version 2 wants all",
      ["SupportsImageWithMaxCount": 9, "DictionaryVersion": 2, "UsesStrictMatching": true], [jpeg, text], false),
    Case("strict looks at the first type", ["SupportsImageWithMaxCount": 1], [pdfOrImage], false),
    Case("fuzzy looks at all types", ["SupportsImageWithMaxCount": 1, "DictionaryVersion": 2], [pdfOrImage], true),
    Case(
      "a file's 0 leaves an image file to others",
      [
        "SupportsFileWithMaxCount": 0, "SupportsText": true, "DictionaryVersion": 2,
      ], [text, jpegFile], true),
    Case(
      "an image's 0 leaves it to others",
      [
        "SupportsImageWithMaxCount": 0, "SupportsText": true, "DictionaryVersion": 2,
      ], [text, jpeg], true),
    Case(
      "a movie file falls back to file", ["SupportsFileWithMaxCount": 1],
      [ActivationAttachment(["com.apple.quicktime-movie"], isFile: true)], true),
    Case("exactly as many images", ["SupportsImageWithMaxCount": 2], [jpeg, jpeg], true),
    Case(
      "each kind has a count of its own", ["SupportsImageWithMaxCount": 1, "SupportsMovieWithMaxCount": 2],
      [jpeg, movie, movie], true),
    Case(
      "the second kind has too many", ["SupportsImageWithMaxCount": 1, "SupportsMovieWithMaxCount": 1],
      [jpeg, movie, movie], false),
    Case("most attachments", ["SupportsText": true, "SupportsAttachmentsWithMaxCount": 2], [text, text, text], false),
    Case("exactly the most", ["SupportsText": true, "SupportsAttachmentsWithMaxCount": 3], [text, text, text], true),
    Case("least attachments", ["SupportsText": true, "SupportsAttachmentsWithMinCount": 2], [text], false),
    Case("exactly the least", ["SupportsText": true, "SupportsAttachmentsWithMinCount": 1], [text], true),
    Case("an attachment without types", ["SupportsFileWithMaxCount": 1], [nothing], false),
    Case("nothing at all", ["SupportsText": true], [], false),
    Case(
      "mixed kinds", ["SupportsText": true, "SupportsWebURLWithMaxCount": 1, "SupportsImageWithMaxCount": 2],
      [jpeg, text, web, jpeg], true),
  ]

  @Test(arguments: cases) func `offers or refuses with a reason for every attachment`(testCase: Case) throws {
    let (rule, problems) = ActivationRule.compile(Self.rule(testCase.keys))
    #expect(!problems.contains { !$0.isWarning })
    let match = try #require(rule).match([ActivationItem(attachments: testCase.attachments)])
    #expect(match.isOffered == testCase.isOffered, "\(match.explanation)")
    #expect(match.attachments.map(\.index) == Array(testCase.attachments.indices))
    #expect(!match.reasons.isEmpty && match.explanation.allSatisfy { $0.hasSuffix(".") })
  }

  @Test func `counts the attachments of all items together`() throws {
    let rule = try #require(ActivationRule.compile(Self.rule(["SupportsImageWithMaxCount": 1])).rule)
    let items = [ActivationItem(attachments: [Self.jpeg]), ActivationItem(attachments: [Self.jpeg])]
    #expect(!rule.match(items).isOffered)
  }

  @Test(arguments: [(true, "hello", true), (true, "", false), (false, "hello", false)])
  func `accepts text alone only by the text key`(supports: Bool, contentText: String, isOffered: Bool) throws {
    let rule = try #require(ActivationRule.compile(Self.rule(["SupportsText": .bool(supports)])).rule)
    #expect(rule.match([ActivationItem(contentText: contentText)]).isOffered == isOffered)
  }

  @Test func `explains itself`() throws {
    let keys: [String: PropertyListValue] = ["SupportsImageWithMaxCount": 1, "SupportsText": false]
    let rule = try #require(ActivationRule.compile(Self.rule(keys)).rule)
    let match = rule.match([ActivationItem(attachments: [Self.jpeg, Self.text, Self.zip])])
    #expect(
      match.explanation == [
        "Attachment 1 (public.jpeg) is an image: accepted by NSExtensionActivationSupportsImageWithMaxCount.",
        "Attachment 2 (public.plain-text) is text: refused, since NSExtensionActivationSupportsText is false.",
        "Attachment 3 (public.zip-archive) is a file: refused, since the rule has no "
          + "NSExtensionActivationSupportsFileWithMaxCount.",
        "In version 1 of the rule, every attachment must be supported; 2 of 3 is not.",
      ])
  }

  @Test func `names what was exceeded, and the mode that was strict`() throws {
    let keys: [String: PropertyListValue] = [
      "SupportsImageWithMaxCount": 1, "SupportsMovieWithMaxCount": 0, "DictionaryVersion": 2,
      "UsesStrictMatching": true,
      "SupportsAttachmentsWithMinCount": 5, "SupportsAttachmentsWithMaxCount": 3,
    ]
    let rule = try #require(ActivationRule.compile(Self.rule(keys)).rule)
    #expect(
      rule.match([ActivationItem(attachments: [Self.jpeg, Self.jpeg, Self.movie, Self.nothing])]).reasons == [
        "There are 4 attachments; the least is 5.", "There are 4 attachments; the most is 3.",
        "There are 2 attachments for NSExtensionActivationSupportsImageWithMaxCount, which allows 1.",
        "In strict matching, every attachment must be supported; 2 of 4 is not.",
      ])
    #expect(
      rule.match([]).reasons == [
        "There are 0 attachments; the least is 5.", "There are neither attachments nor text.",
      ])
    #expect(
      rule.match([ActivationItem(contentText: ""), ActivationItem(contentText: "a")]).reasons == [
        "There are 0 attachments; the least is 5.",
        "There is only text, and NSExtensionActivationSupportsText is not true.",
      ])
    #expect(
      rule.match([ActivationItem(attachments: [Self.movie])]).reasons.last
        == "The rule supports none of the attachments.")
  }

  @Test(
    arguments: [
      (["SupportsText": 1], "NSExtensionActivationSupportsText"),
      (["SupportsImageWithMaxCount": true], "NSExtensionActivationSupportsImageWithMaxCount"),
      (["SupportsImageWithMaxCount": -1], "NSExtensionActivationSupportsImageWithMaxCount"),
      (["SupportsImageWithMaxCount": 1.0], "NSExtensionActivationSupportsImageWithMaxCount"),
      (["SupportsImageWithMaxCount": "-1"], "NSExtensionActivationSupportsImageWithMaxCount"),
      (["SupportsImageWithMaxCount": "one"], "NSExtensionActivationSupportsImageWithMaxCount"),
      (["DictionaryVersion": 3], "NSExtensionActivationDictionaryVersion"),
      (["UsesStrictMatching": 1], "NSExtensionActivationUsesStrictMatching"),
    ] as [([String: PropertyListValue], String)])
  func `of a wrong type is refused by its key`(keys: [String: PropertyListValue], key: String) {
    let (rule, problems) = ActivationRule.compile(Self.rule(keys))
    #expect(rule == nil)
    #expect(problems.filter { !$0.isWarning }.map(\.key) == [key])
  }

  @Test func `tells every problem at once`() {
    let keys: [String: PropertyListValue] = ["SupportsText": 1, "DictionaryVersion": 0, "SupportsFileWithMaxCount": -1]
    #expect(ActivationRule.compile(Self.rule(keys)).problems.count == 3)
  }

  @Test(
    arguments: [
      ["Unknown": 1, "SupportsText": true], [:],
      [
        "SupportsText": true, "SupportsAttachmentsWithMinCount": 3, "SupportsAttachmentsWithMaxCount": 2,
      ],
    ] as [[String: PropertyListValue]])
  func `that looks wrong is warned about`(keys: [String: PropertyListValue]) {
    let (rule, problems) = ActivationRule.compile(Self.rule(keys))
    #expect(rule != nil)
    #expect(problems.map(\.isWarning) == [true])
  }

  @Test func `with a count as a string is read, with a warning`() throws {
    let (rule, problems) = ActivationRule.compile(Self.rule(["SupportsImageWithMaxCount": "1"]))
    #expect(problems.map(\.isWarning) == [true] && problems.map(\.recovery) == ["Write <integer>1</integer>."])
    #expect(try #require(rule).match([ActivationItem(attachments: [Self.jpeg])]).isOffered)
    #expect(try #require(rule).match([ActivationItem(attachments: [Self.jpeg, Self.jpeg])]).isOffered == false)
  }

  @Test func `can be a constant predicate`() throws {
    let items = [ActivationItem(attachments: [Self.zip])]
    let (yes, warnings) = ActivationRule.compile(" truepredicate\n")
    #expect(try #require(yes).match(items).isOffered && warnings.map(\.isWarning) == [true])
    #expect(try #require(ActivationRule.compile("FALSEPREDICATE").rule).match(items).isOffered == false)
  }

  @Test(arguments: ["SUBQUERY(extensionItems, $e, TRUEPREDICATE)", "", 1, [true]] as [PropertyListValue])
  func `that is neither is refused`(value: PropertyListValue) {
    let (rule, problems) = ActivationRule.compile(value)
    #expect(rule == nil)
    #expect(problems.map(\.isWarning) == [false])
  }

  @Test func `that is missing or wrong never offers, and says why`() {
    let items = [ActivationItem(attachments: [Self.text])]
    #expect(
      ActivationRule(nil).match(items)
        == ActivationMatch(isOffered: false, reasons: ["The manifest has no activation rule."]))
    #expect(ActivationRule(1).match(items).explanation == ["The rule is of type integer, not dictionary or string."])
    #expect(ActivationRule(Self.rule(["SupportsText": true])).match(items).isOffered)
    // The first error, and not the warning before it.
    let wrong = Self.rule(["SupportsImageWithMaxCount": "1", "SupportsText": 1, "DictionaryVersion": 0])
    #expect(ActivationRule(wrong).match(items).reasons == ["The value is of type integer, not bool."])
  }

  @Test func `says which count is none`() {
    for (value, words) in [(-1, "-1"), (true, "of type bool")] as [(PropertyListValue, String)] {
      let problems = ActivationRule.compile(Self.rule(["SupportsFileWithMaxCount": value])).problems
      #expect(problems.map(\.message) == ["The count is \(words), not an integer of 0 or more."])
    }
  }

  @Test func `has keys with examples that it takes`() {
    #expect(DictionaryRule.keys.map(\.example) == [5, 1, 1, 1, 1, true, 1, 1, 2, true])
    for key in DictionaryRule.keys {
      let (rule, problems) = ActivationRule.compile(.dictionary([key.name: key.example]))
      #expect(rule != nil && !problems.contains { $0.message.contains("not known") }, "\(key.name)")
    }
  }

  @Test func `uses the types it is given`() throws {
    let rule = try #require(ActivationRule.compile(Self.rule(["SupportsText": true])).rule)
    let types = TypeGraph.standard.adding([
      .init(identifier: "com.example.note", conformsTo: ["public.text"], filenameExtensions: [], mimeTypes: [])
    ])
    let items = [ActivationItem(attachments: [ActivationAttachment(["com.example.note"])])]
    #expect(rule.match(items, in: types).isOffered)
    #expect(!rule.match(items).isOffered)
  }
}
