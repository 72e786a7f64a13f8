import JSONRPC
import ExtensionHosting
import HostServices
import JSON
import PropertyList

extension Golden {
  /// Every golden line, feature by feature; the lines of a feature are in `Goldens/<Feature>.ndjson`.
  static let features: [(name: String, goldens: [Golden], contract: (any ServiceContract.Type)?)] = [
    ("API", api, API.self),
    ("Action", action, Action.self),
    ("Auth", auth, Auth.self),
    ("Container", container, Container.self),
    ("Content", content, Content.self),
    ("Data", data, DataContract.self),
    ("Defaults", defaults, Defaults.self),
    ("DocumentPicker", documentPicker, DocumentPicker.self),
    ("FileProvider", fileProvider, FileProvider.self),
    ("Handshake", handshake, nil),
    ("Items", items, Items.self),
    ("Keyboard", keyboard, Keyboard.self),
    ("Network", network, Network.self),
    ("OpenURL", openURL, OpenURL.self),
    ("Permissions", permissions, Permissions.self),
    ("PhotoEditing", photoEditing, PhotoEditing.self),
    ("Request", request, Request.self),
    ("Sessions", sessions, Sessions.self),
    ("Share", share, Share.self),
    ("Today", today, Today.self),
    ("UTI", typeIdentifiers, TypeIdentifiers.self),
  ]

  static let all = features.flatMap(\.goldens)

  /// An item as requests carry it.
  static let item = ExtensionItem(
    title: "A picture", contentText: "See you there",
    attachments: [
      ItemProvider(
        itemID: "a1", registeredTypeIdentifiers: ["public.utf8-plain-text", "public.plain-text"],
        suggestedName: "note.txt", inline: .init(type: "public.utf8-plain-text", value: "Hello"), estimatedSize: 5),
      ItemProvider(
        itemID: "a2", registeredTypeIdentifiers: ["public.png"],
        inline: .init(type: "public.png", value: "iVBORw==", encoding: "base64")),
    ])
}
