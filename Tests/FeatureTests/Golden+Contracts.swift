import ExtensionHosting
import HostServices
import JSONRPC
import PropertyList

extension Golden {
  private static let item = ExtensionItem(
    title: "A picture", contentText: "See you there",
    attachments: [
      ItemProvider(
        itemID: "a1", registeredTypeIdentifiers: ["public.utf8-plain-text", "public.plain-text"],
        suggestedName: "note.txt", inline: .init(type: "public.utf8-plain-text", value: "Hello"), estimatedSize: 5),
      ItemProvider(
        itemID: "a2", registeredTypeIdentifiers: ["public.png"],
        inline: .init(type: "public.png", value: "iVBORw==", encoding: "base64")),
    ])

  private static let handshake: [Golden] = [
    Golden(
      Initialize(
        host: Peer(name: "host", version: "0.1.0"),
        extension: Initialize.Identity(
          id: "com.example.adventures.today", version: "1.0", point: .today, containingApp: "com.example.adventures"),
        permissions: ["content": "granted"], limits: ["memoryMiB": 64], locale: "en-US",
        directories: Initialize.Directories(
          scratch: "/s", container: "/c", groups: ["group.com.example.adventures": .init(path: "/g", mode: "rw")])),
      Initialize.Result(protocolVersion: "1.0", sdk: Peer(name: "AppExtensions", version: "0.1.0", language: "swift"))),
    Golden(Initialized()),
    Golden(Ping(nonce: 7), Ping.Result(nonce: 7, uptimeMs: 1500)),
    Golden(Log(level: .warning, message: "It rains.", fields: ["mm": 3], logger: "weather")),
    Golden(Terminate(reason: "idle", graceMs: 2000), Empty()),
  ]

  private static let defaults: [Golden] = [
    Golden(
      Defaults.Get(suite: "group.a", key: "when"), Defaults.Get.Result(value: .date(1_700_000_000), revision: 7)),
    Golden(
      Defaults.All(suite: "group.a"),
      Defaults.All.Result(
        values: [
          "array": [1, 1.5, true, "text"], "bytes": .data([0, 255]), "dictionary": ["key": "value"], "real": 1.0,
        ], revision: 7)),
    Golden(Defaults.Set(suite: "group.a", key: "visits", value: 42), Defaults.Revision(revision: 8)),
    Golden(
      Defaults.SetMany(suite: "group.a", values: ["a": 1, "b": "two"], remove: ["c"]), Defaults.Revision(revision: 9)),
    Golden(Defaults.Remove(suite: "group.a", key: "a"), Defaults.Revision(revision: 10)),
    Golden(
      Defaults.CompareAndSet(suite: "group.a", key: "b", value: nil, expectedRevision: 9),
      Defaults.CompareAndSet.Result(swapped: true, revision: 0)),
    Golden(Defaults.Observe(suite: "group.a", prefix: "shared."), Defaults.Revision(revision: 11)),
    Golden(Defaults.DidChange(suite: "group.a", revision: 12, keys: ["shared.1"])),
  ]

  private static let requests: [Golden] = [
    Golden(Request.Begin(requestID: "r1", point: .share, inputItems: [item]), Request.Begin.Result()),
    Golden(
      Request.Complete(requestID: "r1", returningItems: [ExtensionItem(contentText: "Done")]),
      Request.Complete.Result()),
    Golden(Request.Cancel(requestID: "r1", error: .userCancelled), Empty()),
    Golden(Request.Withdraw(requestID: "r1")),
    Golden(
      Share.ValidateContent(requestID: "r1", contentText: "Hello"),
      Share.ValidateContent.Result(isValid: true, charactersRemaining: 275)),
    Golden(Share.DidSelectPost(requestID: "r1", contentText: "Hello"), Empty()),
    Golden(Action.Perform(requestID: "r1", inputItems: [item]), Empty()),
    Golden(
      Items.Load(requestID: "r1", itemID: "a3", typeIdentifier: "public.text"),
      Items.Load.Result(typeIdentifier: "public.plain-text", path: "item-a3", suggestedName: "long.txt")),
  ]

  private static let others: [Golden] = [
    Golden(
      Today.PerformUpdate(requestID: "r1", reason: "visible", displayMode: "compact"),
      .newData(
        WidgetView(
          title: "Adventures", text: "Two", rows: [.init(title: "Caves", subtitle: "2 days", value: "$5", url: "a://b")]
        )
      )),
    Golden(
      Content.Execute(query: "wknd-shared/adventure-by-slug", variables: ["slug": "caves"]),
      Content.Execute.Result(
        data: ["adventureList": ["items": []]], errors: [["message": "Partial."]], source: "cache", ageSeconds: 12)),
    Golden(
      OpenURL.Open(requestID: "r1", url: "adventures://adventure/caves"),
      OpenURL.Open.Result(success: false, reason: "notContainingApp")),
    Golden(
      OpenURL.Deliver(
        url: "adventures://adventure/caves", source: .init(bundleID: "com.example.adventures.today", point: .today)),
      OpenURL.Deliver.Result(handled: true, presentation: "Caves")),
  ]

  static let all = handshake + defaults + requests + others
}
