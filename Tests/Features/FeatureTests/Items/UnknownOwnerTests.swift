import Testing

@testable import HostServices

@Suite(.timeLimit(.minutes(1)))
struct `An attachment of nobody` {
  @Test(arguments: [.team, .group] as [ItemProvider.Visibility])
  func `shows itself to nobody that is not known either`(visibility: ItemProvider.Visibility) {
    var item = ItemProvider(itemID: "a", registeredTypeIdentifiers: ["public.data"])
    item.visibility = visibility
    #expect(!item.isVisible(from: nil, to: nil))
    #expect(item.isVisible(from: "com.example", to: "com.example"))
  }
}
