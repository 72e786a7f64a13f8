import AppExtensions
import ExtensionHosting
import Foundation
import HostServices
import Testing

@Suite(.timeLimit(.minutes(1)))
struct `A document picker` {
  private let original = PickerTerms.Original(name: "plan.txt", bytes: Array("plan".utf8))

  /// Picks one document while the provider of the app runs.
  private func pick(
    _ terms: PickerTerms, _ stage: DocumentStage, _ identifier: String = "a.txt"
  ) async throws -> PickedDocument? {
    try await stage.withProvider { documents, _ in
      let picked = try await stage.withPicker(terms) { picker in
        terms.mode.isSaving ? try await picker.save() : try await picker.select(identifier)
      }
      try await documents.settle()
      return picked
    }
  }

  /// A picker that copies a document and grants a path.
  private func saving(_ granted: String, copy: Bool = true, suffix: String = "") -> DocumentProbe.Script {
    var script = DocumentProbe.Script()
    script.save = { _, picker in
      if copy { try await picker.copyOriginal(to: "plan.txt") }
      if !suffix.isEmpty { try Data("other".utf8).write(to: URL(filePath: picker.filePath(of: "plan.txt"))) }
      return .document(granted)
    }
    return script
  }

  @Test func `is told the mode, the types and where documents lie`() async throws {
    var script = DocumentProbe.Script()
    script.prepare = { picker in
      #expect(picker.mode == .open)
      #expect(picker.validTypes == ["public.plain-text"])
      #expect(picker.documentStorage == FileProvider.Storage(group: DocumentStage.group))
      #expect(picker.providerIdentifier == "com.example.test")
      #expect(picker.originalPath == nil)
    }
    let stage = try DocumentStage(script)
    try await stage.withPicker(PickerTerms(.open, validTypes: ["public.plain-text"])) { _ in }
  }

  @Test func `lists folders page by page`() async throws {
    var script = DocumentProbe.Script()
    script.list = { directory, cursor in
      let number = cursor.flatMap(Int.init) ?? 0
      let identifier = "\(directory ?? "")\(number)"
      let entry = DocumentPicker.Entry(identifier: identifier, name: "n\(number)", type: "public.data")
      return .init(entries: [entry], next: number < 2 ? "\(number + 1)" : nil)
    }
    let stage = try DocumentStage(script)
    let entries = try await stage.withPicker(PickerTerms(.import)) { try await $0.entries(in: "f") }
    #expect(entries.map(\.identifier) == ["f0", "f1", "f2"])
  }

  @Test(arguments: ["", "a/b"]) func `lists nothing without a name, and no page twice`(name: String) async throws {
    var script = DocumentProbe.Script()
    script.list = { _, cursor in
      let entry = DocumentPicker.Entry(identifier: "i", name: name.isEmpty ? "ok" : name, type: "public.data")
      return .init(entries: [entry], next: name.isEmpty ? "same" : nil)
    }
    let stage = try DocumentStage(script)
    try await stage.withPicker(PickerTerms(.import)) { picker in
      #expect(await refusal { _ = try await picker.entries() }?.documentRule == .answer)
    }
  }

  @Test func `imports a copy of a file of its own, or a document that is still to be provided`() async throws {
    var script = DocumentProbe.Script()
    script.pick = { id, picker in
      guard id == "own.txt" else { return .document(id) }
      let scratch = picker.context.host?.directories.scratch ?? ""
      try Data("own".utf8).write(to: URL(filePath: "\(scratch)/own.txt"))
      return .scratchFile("own.txt")
    }
    let stage = try DocumentStage(script)
    #expect(try await pick(PickerTerms(.import), stage, "own.txt") == .copy(name: "own.txt", bytes: Array("own".utf8)))
    try stage.put("{}", at: ".a.txt.placeholder")
    #expect(try await pick(PickerTerms(.import), stage) == .document(path: "a.txt"))
  }

  @Test func `opens what lies below the document storage`() async throws {
    let stage = try DocumentStage()
    try stage.put("hello", at: "x/a.txt")
    #expect(try await pick(PickerTerms(.open), stage, "x/a.txt") == .document(path: "x/a.txt"))
  }

  @Test func `that is cancelled grants nothing`() async throws {
    var script = DocumentProbe.Script()
    script.pick = { _, _ in nil }
    let stage = try DocumentStage(script)
    #expect(try await pick(PickerTerms(.open), stage) == nil)
  }

  private static let grants: [(PickerGrant, DocumentRule)] = [
    (.document("../outside"), .relativePath), (.document("/etc/passwd"), .relativePath),
    (.document(""), .relativePath), (.document("absent.txt"), .readableFile), (.document("link.txt"), .readableFile),
    (.document("folder.txt"), .readableFile), (.scratchFile("own.txt"), .belowStorage),
    (.document("data.bin"), .validTypes),
  ]

  @Test(arguments: grants.indices) func `is refused what breaks a rule of open`(index: Int) async throws {
    let (grant, rule) = Self.grants[index]
    var script = DocumentProbe.Script()
    script.pick = { _, _ in grant }
    let stage = try DocumentStage(script)
    try stage.put("x", at: "folder.txt/y")
    try stage.put("x", at: "data.bin")
    try FileManager.default.createSymbolicLink(
      atPath: stage.storage.appending(path: "link.txt").path, withDestinationPath: "/etc/passwd")
    let error = await refusal { _ = try await pick(PickerTerms(.open, validTypes: ["public.plain-text"]), stage) }
    #expect(error?.documentRule == rule)
    #expect(error?.code == .invalidParams)
  }

  @Test func `exports a copy that the host cannot read, and the provider hears of it`() async throws {
    let stage = try DocumentStage(saving("plan.txt"))
    let picked = try await pick(PickerTerms(.exportToService, original: original), stage)
    #expect(picked == .handedOver(name: "plan.txt"))
    #expect(stage.journal.all.contains("changed plan.txt by -"))
  }

  @Test func `moves a document whose every byte was copied`() async throws {
    let stage = try DocumentStage(saving("plan.txt"))
    #expect(
      try await pick(PickerTerms(.moveToService, original: original), stage) == .document(path: "plan.txt"))
  }

  /// A document is copied in pieces of 1 MiB, and compared whole.
  @Test(arguments: [1 << 20, (1 << 20) + 1]) func `moves a document of several pieces`(count: Int) async throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 3) }
    let large = PickerTerms.Original(name: "plan.txt", bytes: bytes)
    let stage = try DocumentStage(saving("plan.txt"))
    let picked = try await pick(PickerTerms(.moveToService, original: large), stage)
    #expect(picked == .document(path: "plan.txt"))
  }

  @Test(arguments: [DocumentPicker.Mode.exportToService, .moveToService])
  func `is refused before it has copied`(mode: DocumentPicker.Mode) async throws {
    let stage = try DocumentStage(saving("plan.txt", copy: false))
    let error = await refusal { _ = try await pick(PickerTerms(mode, original: original), stage) }
    #expect(error?.documentRule == .copyFirst)
  }

  @Test func `is refused a copy that is not what was to be moved`() async throws {
    let stage = try DocumentStage(saving("plan.txt", suffix: "x"))
    let error = await refusal { _ = try await pick(PickerTerms(.moveToService, original: original), stage) }
    #expect(error?.documentRule == .copyDiffers)
  }

  @Test func `grants once, and only while it is shown`() async throws {
    var script = DocumentProbe.Script()
    script.prepare = { picker in
      let early = await refusal {
        _ = try await picker.context.call(DocumentPicker.DismissGrantingAccess(requestID: picker.requestID, url: nil))
      }
      #expect(early?.documentRule == .presented)
    }
    script.pick = { _, picker in
      _ = try await picker.context.call(DocumentPicker.DismissGrantingAccess(requestID: picker.requestID, url: nil))
      return nil
    }
    let stage = try DocumentStage(script)
    try await stage.withPicker(PickerTerms(.open)) { picker in
      #expect(await refusal { _ = try await picker.select("a") }?.code == .alreadyCompleted)
    }
  }

  @Test func `is asked for what its mode has`() async throws {
    let stage = try DocumentStage()
    try await stage.withPicker(PickerTerms(.open)) { picker in
      #expect(await refusal { _ = try await picker.save() }?.documentRule == .presented)
    }
  }

  private static let offers: [(types: [String], wanted: [String], isOffered: Bool)] = [
    ([], ["public.png"], true), (["public.content", "public.data"], ["com.example.odd"], true),
    (["public.image"], ["public.png"], true), (["public.image"], ["public.plain-text"], false),
    (["public.image"], ["public.plain-text", "public.png"], true), (["public.png"], ["public.image"], true),
    (["public.image"], [], true),
  ]

  @Test(arguments: offers)
  func `is offered when a type matches`(types: [String], wanted: [String], isOffered: Bool) {
    let offer = PickerOffer(modes: [.open], types: types)
    #expect(offer.takes(wanted) { $0 == $1 || $0 == "public.png" && $1 == "public.image" } == isOffered)
  }
}
