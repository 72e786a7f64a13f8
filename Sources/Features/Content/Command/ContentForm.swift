import CommandLineTool

/// How `host content` lists and shows the fragments of one model. The commands themselves know no model.
struct ContentForm: Sendable {
  /// The name of the model, `adventure` for `adventureList`; also used in messages.
  let model: String
  /// The name of several fragments, in the summary of `list`.
  let plural: String
  /// The persisted query behind `list`. It takes `offset`, `limit` and `sort`.
  let listQuery: String
  /// The persisted query behind `show` and `image`. It takes `slug`.
  let fragmentQuery: String
  /// The columns of `list`, each with the member of a fragment that it shows.
  let columns: [(column: TextTable.Column, member: String)]
  /// The facts that `show` lists first: titles, and members with a text or a number.
  let facts: [(title: String, member: String)]
  /// The multi-line texts below the facts.
  let texts: [(title: String, member: String)]
  /// The member with the picture.
  let picture: String
}

extension ContentForm {
  /// The adventures of the content that the tool serves itself, and of AEM's WKND site.
  static let adventures = ContentForm(
    model: "adventure", plural: "adventures", listQuery: "wknd-shared/adventures-all",
    fragmentQuery: "wknd-shared/adventure-by-slug",
    columns: [
      (.init("SLUG"), "slug"), (.init("TITLE"), "title"), (.init("ACTIVITY"), "activity"),
      (.init("TRIP LENGTH"), "tripLength"), (.init("PRICE", .right), "price"),
    ],
    facts: [
      ("Activity", "activity"), ("Type", "adventureType"), ("Trip length", "tripLength"), ("Difficulty", "difficulty"),
      ("Group size", "groupSize"), ("Price", "price"),
    ],
    texts: [("About", "description"), ("Itinerary", "itinerary"), ("Gear", "gearList")], picture: "primaryImage")
}
