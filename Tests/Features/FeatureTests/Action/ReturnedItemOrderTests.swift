import HostServices
import Testing

/// Which of the returned attachments takes the place of which, and what is said of those that are not taken.
@Suite(.timeLimit(.minutes(1)))
struct `The place of a returned item` {
  private static func item(_ id: String, _ types: String...) -> ItemProvider {
    ItemProvider(itemID: id, registeredTypeIdentifiers: types)
  }

  /// Types conform to themselves, and pictures of a kind to pictures.
  private static func conforms(_ type: String, _ other: String) -> Bool {
    type == other || (["public.png", "public.jpeg"].contains(type) && other == "public.image")
  }

  private func edited(_ input: [ItemProvider], _ returned: [ItemProvider]) -> [String] {
    ReturnedItems(
      input: [ExtensionItem(attachments: input)], returned: [ExtensionItem(attachments: returned)], role: .editor,
      acceptableTypes: nil, conforms: Self.conforms
    ).items.flatMap(\.attachments).map(\.itemID)
  }

  @Test func `is that of an attachment of a wider type, or of a narrower one`() {
    let (png, image) = (Self.item("png", "public.png"), Self.item("image", "public.image"))
    #expect(edited([image], [png]) == ["png"])
    #expect(edited([png], [image]) == ["image"])
    #expect(edited([png], [Self.item("jpeg", "public.jpeg")]) == ["png", "jpeg"])
    #expect(edited([Self.item("both", "public.data", "public.jpeg")], [image]) == ["image"])
    #expect(edited([image], [Self.item("both", "public.data", "public.jpeg")]) == ["both"])
    #expect(edited([Self.item("none")], [Self.item("new")]) == ["none", "new"])
  }

  @Test func `is the first that is still free`() {
    let input = [Self.item("p", "public.png"), Self.item("t", "public.text"), Self.item("q", "public.png")]
    let (r, s, t) = (Self.item("r", "public.png"), Self.item("s", "public.png"), Self.item("u", "public.png"))
    #expect(edited(input, []) == ["p", "t", "q"])
    #expect(edited(input, [r]) == ["r", "t", "q"])
    #expect(edited(input, [r, s]) == ["r", "t", "s"])
    #expect(edited(input, [r, s, t]) == ["r", "t", "s", "u"])
    #expect(edited(input, [Self.item("x", "public.text"), r]) == ["r", "x", "q"])
  }

  @Test func `has the title and the text of the editor's where it gives them`() {
    let input = [ExtensionItem(title: "a", contentText: "b"), ExtensionItem(title: "c", contentText: "d")]
    let returned = [ExtensionItem(title: "new"), ExtensionItem(contentText: "")]
    let result = ReturnedItems(
      input: input, returned: returned, role: .editor, acceptableTypes: nil, conforms: Self.conforms)
    #expect(
      result.items == [ExtensionItem(title: "new", contentText: "b"), ExtensionItem(title: "c", contentText: "")])
    #expect(result.warnings == [])
    let nothing = ReturnedItems(
      input: input, returned: [], role: .editor, acceptableTypes: nil, conforms: Self.conforms)
    #expect(nothing.items == input)
  }

  @Test func `is named in the warning, with its first type and those that are taken`() {
    let returned = [
      ExtensionItem(attachments: [Self.item("ok", "public.text", "public.png")]),
      ExtensionItem(attachments: [Self.item("bare"), Self.item("film", "public.movie", "public.data")]),
    ]
    let result = ReturnedItems(
      input: [], returned: returned, role: nil, acceptableTypes: ["public.image", "public.url"],
      conforms: Self.conforms)
    #expect(result.items == [returned[0], ExtensionItem()])
    #expect(
      result.warnings == [
        "The attachment bare of item 2 (no type) was dropped; taken is public.image, public.url.",
        "The attachment film of item 2 (public.movie) was dropped; taken is public.image, public.url.",
      ])
    let none = ReturnedItems(
      input: [], returned: returned, role: nil, acceptableTypes: [], conforms: Self.conforms)
    #expect(none.items == [ExtensionItem(), ExtensionItem()] && none.warnings.count == 3)
  }

  @Test func `is counted for a viewer`() {
    let two = [ExtensionItem(title: "a"), ExtensionItem(title: "b")]
    let result = ReturnedItems(
      input: two, returned: two, role: .viewer, acceptableTypes: nil, conforms: Self.conforms)
    #expect(result.items == [] && result.warnings == ["A viewer returns nothing; 2 item(s) were dropped."])
  }
}
