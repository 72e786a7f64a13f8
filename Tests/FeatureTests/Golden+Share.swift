import ExtensionHosting
import HostServices
import JSONRPC
import PropertyList

extension Golden {
  static let share: [Golden] = [
    Golden(
      Share.ValidateContent(requestID: "r1", contentText: "Hello"),
      Share.ValidateContent.Result(isValid: true, charactersRemaining: 275)),
    Golden(Share.DidSelectPost(requestID: "r1", contentText: "Hello"), Empty()),
  ]
}
