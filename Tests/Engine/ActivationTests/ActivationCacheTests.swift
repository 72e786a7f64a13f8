import Activation
import PropertyList
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A cache of rules` {
  let cache = ActivationCache(limit: 3)
  let types = TypeGraph.standard
  let items = [ActivationItem(attachments: [ActivationAttachment(["com.example.note"])])]

  private func rule(_ type: String) -> ActivationRule {
    ActivationRule(.string("ANY extensionItems[0].attachments[0].registeredTypeIdentifiers UTI-CONFORMS-TO '\(type)'"))
  }

  @Test func `answers by rule, types and items`() {
    let noted = types.adding([
      .init(identifier: "com.example.note", conformsTo: ["public.text"], filenameExtensions: [], mimeTypes: [])
    ])
    for _ in 0..<2 {
      #expect(!cache.match(rule("public.text"), items, in: types).isOffered)
      #expect(cache.match(rule("public.text"), items, in: noted).isOffered)
      #expect(!cache.match(rule("public.text"), [], in: noted).isOffered)
    }
    #expect(cache.count == 3)
  }

  @Test func `answers each spelling of a text for itself`() {
    let cache = ActivationCache()
    let spellings = ["\u{E9}", "e\u{301}"]
    let keys = ["attributedTitle", "attributedContentText", "userInfo.a[FIRST]"]
    for _ in 0..<2 {
      for (wanted, text) in spellings.flatMap({ wanted in spellings.map { (wanted, $0) } }) {
        let items = [
          ActivationItem(title: text), ActivationItem(contentText: text),
          ActivationItem(userInfo: ["a": .array([.string(text)])]),
        ]
        for (key, item) in zip(keys, items) {
          let rule = ActivationRule(.string("extensionItems[0].\(key) ==[n] '\(wanted)'"))
          #expect(cache.match(rule, [item], in: types).isOffered == text.utf8.elementsEqual(wanted.utf8))
        }
        // The same type for the graph, not for the bytes.
        let rule = ActivationRule(
          .string("extensionItems[0].attachments[0].registeredTypeIdentifiers CONTAINS[n] 'a.\(wanted)'"))
        let attached = ActivationItem(attachments: [ActivationAttachment(["a.\(text)"])])
        #expect(cache.match(rule, [attached], in: types).isOffered == text.utf8.elementsEqual(wanted.utf8))
      }
    }
    #expect(cache.count == 16)
  }

  @Test func `keeps no more than its limit`() {
    for number in 0..<10 { _ = cache.match(rule("public.t\(number)"), items, in: types) }
    #expect(cache.count <= 3)
    let cache = ActivationCache(limit: 3)
    let counts = (0..<7).map { number in
      _ = cache.match(rule("public.t\(number)"), items, in: types)
      return cache.count
    }
    #expect(counts == [1, 2, 3, 1, 2, 3, 1])
  }

  @Test func `keeps 1,024 answers unless it is told otherwise`() {
    let cache = ActivationCache()
    for number in 0..<1_024 { _ = cache.match(.never("\(number)"), [], in: types) }
    #expect(cache.count == 1_024)
    _ = cache.match(.never("one more"), [], in: types)
    #expect(cache.count == 1)
  }

  @Test func `tells graphs apart by their revision`() {
    func grown(_ parent: String) -> UInt64 {
      types.adding([.init(identifier: "a.b", conformsTo: [parent], filenameExtensions: [], mimeTypes: [])]).revision
    }
    #expect(types.revision == 0 && grown("public.text") != 0)
    #expect(grown("public.text") == grown("public.text") && grown("public.text") != grown("public.data"))
  }
}
