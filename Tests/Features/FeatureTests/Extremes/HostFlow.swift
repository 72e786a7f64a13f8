import JSONRPC
import AppExtensions
import EventLoop
import ExtensionHosting
import HostServices
import JSON
import Testing

@testable import ExtensionTesting

/// What a host does with a running extension from beginning to end, with a peer in the extension's place.
struct HostFlow: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The host's calls in it.
  let methods: [String]
  /// What the extension calls, by the call of the host before whose answer it does.
  var calls: [String: [String]] = [:]
  let run: @Sendable (GoldenPeer) async throws -> Void

  private static let patience = Duration.milliseconds(100)

  /// Runs it, and gives up what waits for something that a peer with extreme values never does.
  func run(with peer: GoldenPeer, on loop: EventLoop) async {
    try? await withDeadline(.milliseconds(150), on: loop) { try await run(peer) }
  }

  static let all = [today, share, action, keyboard, photo, picker, provider]

  private static let today = HostFlow(
    testDescription: "a widget is updated", methods: ["widget/performUpdate"],
    calls: [
      "widget/performUpdate": [
        "widget/setPreferredContentSize", "widget/setLargestAvailableDisplayMode", "widget/setHasContent",
      ]
    ]
  ) { peer in
    let folder = try TestFolder()
    defer { folder.remove() }
    let requests = RequestService(grace: .milliseconds(10))
    let service = TodayService(state: folder.state) { $0 }
    try await Stage(services: [requests, service]).withPeer(peer) { process in
      _ = try await process.performUpdate(requests: requests, deadline: patience)
    }
  }

  private static let share = HostFlow(
    testDescription: "a text is posted",
    methods: [
      "context/beginRequest", "share/presentation", "share/configurationItems", "share/selectConfigurationItem",
      "share/validateContent", "share/completions", "share/didSelectPost",
    ],
    calls: [
      "share/validateContent": ["share/setContentState"],
      "share/didSelectPost": ["item/hasConforming", "item/load", "url/open", "context/completeRequest"],
    ]
  ) { peer in
    let requests = RequestService(grace: .milliseconds(10))
    let (service, items) = (ShareService(), ItemService(requests: requests) { $0 == $1 })
    let urls = OpenURLService(requests: requests, appForScheme: { _ in nil }) { _, _, _ in .init(handled: true) }
    try await Stage(services: [requests, service, items, urls]).withPeer(peer, identity: .testing(point: .share)) {
      try await $0.compose([Golden.item], requests: requests, service: service) { sheet in
        _ = try await sheet.presentation()
        _ = try await sheet.configurationItems()
        _ = try await sheet.select("list", value: "Booked")
        _ = try await sheet.setText("Hello")
        _ = try await sheet.completions()
        _ = try await sheet.post(deadline: patience)
      }
    }
  }

  private static let action = HostFlow(
    testDescription: "an action is performed", methods: ["context/beginRequest", "action/perform"],
    calls: [
      "action/perform": [
        "context/expiringActivity/begin", "context/expiringActivity/end", "context/cancelRequest",
        "context/completeRequest",
      ]
    ]
  ) { peer in
    let requests = RequestService(grace: .milliseconds(10))
    try await Stage(services: [requests]).withPeer(peer, identity: .testing(point: .action)) { process in
      _ = try await process.perform(
        [Golden.item], requests: requests, deadline: patience
      ) { _ in
      } collect: { items, requestID in
        for attachment in items.flatMap(\.attachments) {
          _ = try? await process.bytes(of: attachment, requestID: requestID, limit: 1 << 16)
        }
        return items
      }
    }
  }

  private static let keyboard = HostFlow(
    testDescription: "keys are pressed", methods: ["keyboard/begin", "keyboard/input", "keyboard/end"],
    calls: [
      "keyboard/begin": ["keyboard/setPrimaryLanguage", "keyboard/requestSupplementaryLexicon"],
      "keyboard/input": [
        "keyboard/edit", "keyboard/handleInputModeList", "keyboard/dismiss", "keyboard/advanceToNextInputMode",
      ],
    ]
  ) { peer in
    let service = KeyboardService { [.init(userInput: "t", documentText: "text")] }
    try await Stage(services: [service]).withPeer(peer, identity: .testing(point: .keyboard)) { process in
      let field = KeyboardField(TextDocument("Caf au lait"))
      try await service.withSession(of: process, for: field) { session in
        _ = try await session.press(Keyboard.Input.Event("e"))
        session.changeText { $0.select(1..<4) }
        _ = try await session.press(Keyboard.Input.Event("s"))
        await session.switchAway()
      }
    }
  }

  private static let photo = HostFlow(
    testDescription: "a photo is edited",
    methods: [
      "photo/canHandleAdjustmentData", "photo/startContentEditing", "photo/shouldShowCancelConfirmation",
      "photo/finishContentEditing", "photo/cancelContentEditing",
    ]
  ) { peer in
    var stage = Stage()
    stage.hasScratch = true
    try await stage.withPeer(peer, identity: .testing(point: .photoEditing)) { process in
      let photo = SmallImages.jpeg(orientation: 6)
      let adjusted = EditablePhoto(current: photo, original: photo, adjustmentData: PhotoProbe.adjustment)
      for isFinished in [true, false] {
        let editor = PhotoEditor(process)
        _ = try await editor.start(adjusted)
        _ = await editor.shouldShowCancelConfirmation()
        if isFinished { _ = try? await editor.finish(deadline: patience) } else { try await editor.cancel() }
      }
    }
  }

  private static let picker = HostFlow(
    testDescription: "a document is picked", methods: ["picker/prepare", "picker/list", "picker/select"],
    calls: ["picker/select": ["picker/dismissGrantingAccess"]]
  ) { peer in
    let stage = try DocumentStage()
    let services: [any HostService] = [stage.requests, stage.documents, stage.picker]
    try await Stage(services: services).withPeer(peer, identity: .testing(point: .documentPicker)) { process in
      try await process.presentPicker(PickerTerms(.open), service: stage.picker) { picker in
        _ = try? await picker.page()
        _ = try await picker.select("a.txt")
      }
    }
  }

  private static let provider = HostFlow(
    testDescription: "a document is read and changed",
    methods: [
      "provider/providePlaceholder", "provider/startProviding", "provider/itemChanged", "provider/stopProviding",
      "provider/itemForIdentifier", "provider/identifierForItem",
    ],
    calls: [
      "provider/providePlaceholder": ["provider/writePlaceholder"],
      "provider/startProviding": ["provider/coordinate", "provider/uncoordinate"],
    ]
  ) { peer in
    let stage = try DocumentStage()
    try stage.put("here", at: "here.txt")
    try await Stage(services: [stage.documents]).withPeer(peer, identity: .testing(point: .fileProvider)) { process in
      try await stage.documents.withDocuments(of: process.caller.identity, provider: process) { documents in
        _ = try? await documents.path(for: "a.txt")
        _ = try? await documents.identifier(for: "a.txt")
        _ = try? await documents.metadata(of: "a.txt")
        _ = try? await documents.read("a.txt")
        _ = try? await documents.update("here.txt") { _ in [1, 2, 3] }
        try? await documents.settle()
      }
    }
  }
}
