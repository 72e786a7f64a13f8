import JSONRPC
import ExtensionHosting
import HostServices
import JSON
import PropertyList

extension Golden {
  private static let list = Share.ConfigurationItem(
    id: "list", title: "List", value: "Ideas", choices: ["Ideas", "Booked"])

  static let share: [Golden] = [
    Golden(
      Share.Presentation(requestID: "r1"),
      Share.Presentation.Result(placeholder: "What did you find?", contentText: "Caves", preview: "example.com")),
    Golden(
      Share.ValidateContent(requestID: "r1", contentText: "Hello"),
      Share.ContentState(isValid: true, charactersRemaining: 275)),
    Golden(
      Share.Completions(requestID: "r1", contentText: "See #b"),
      Share.Completions.Result(completions: [.init(title: "#Booked", contentText: "See #Booked")])),
    Golden(Share.ConfigurationItems(requestID: "r1"), Share.Configuration(items: [list])),
    Golden(
      Share.SelectConfigurationItem(requestID: "r1", id: "list", value: "Booked"), Share.Configuration(items: [list])),
    Golden(Share.DidSelectPost(requestID: "r1", contentText: "Hello"), Empty()),
    Golden(Share.DidSelectCancel(requestID: "r1"), Empty()),
    Golden(
      Share.SetContentState(requestID: "r1", state: Share.ContentState(isValid: false, charactersRemaining: -3)),
      Empty()
    ),
  ]
}
