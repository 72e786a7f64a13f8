import HostServices

extension Golden {
  private static let storage = FileProvider.Storage(group: "group.com.example.notes")
  private static let path = "trips/plan.txt"

  static let fileProvider: [Golden] = [
    Golden(
      FileProvider.ItemForIdentifier(identifier: "doc-7", documentStorage: storage),
      FileProvider.ItemForIdentifier.Result(path: path)),
    Golden(
      FileProvider.IdentifierForItem(path: path, documentStorage: storage),
      FileProvider.IdentifierForItem.Result(identifier: "doc-7")),
    Golden(FileProvider.ProvidePlaceholder(path: path, documentStorage: storage), Empty()),
    Golden(FileProvider.StartProviding(path: path, documentStorage: storage), Empty()),
    Golden(
      FileProvider.ItemChanged(path: path, purposeIdentifier: "com.example.editor", documentStorage: storage), Empty()),
    Golden(FileProvider.StopProviding(path: path, documentStorage: storage), Empty()),
    Golden(
      FileProvider.WritePlaceholder(path: path, metadata: FileProvider.Metadata(name: "plan.txt", size: 1200)),
      FileProvider.WritePlaceholder.Result(placeholderPath: "trips/.plan.txt.placeholder")),
    Golden(
      FileProvider.Coordinate(
        path: path, intent: .write, options: .init(replacing: true), purposeIdentifier: "com.example.notes"),
      FileProvider.Coordinate.Result(token: "3.1", path: path)),
    Golden(FileProvider.Uncoordinate(token: "3.1"), Empty()),
  ]
}
