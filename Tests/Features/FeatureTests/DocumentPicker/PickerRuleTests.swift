import AppExtensions
import ExtensionProtocol
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HostServices

@Suite(.timeLimit(.minutes(1)))
struct `The rules for what a picker grants` {
  private let folder: TemporaryDirectory
  private let storage: DocumentStorage

  init() throws {
    folder = try TemporaryDirectory()
    storage = DocumentStorage(container: folder.path, reference: FileProvider.Storage(group: "g"))
    try storage.write([1, 2], to: "x/a.txt")
    _ = try storage.writePlaceholder(of: "later.txt", FileProvider.Metadata(name: "later"))
  }

  private func rules(
    _ mode: DocumentPicker.Mode, original: [UInt8]? = nil, validTypes: [String] = [], hasStorage: Bool = true,
    read: @escaping (String, String) throws(ExtensionError) -> [UInt8] = { directory, path in
      Array("\(directory):\(path)".utf8)
    }
  ) -> PickerGrantRules {
    PickerGrantRules(
      terms: PickerTerms(mode, original: original.map { .init(name: "o", bytes: $0) }, validTypes: validTypes),
      extensionName: "Picker", storage: hasStorage ? storage : nil,
      type: { String($0.split(separator: ".").last ?? "") }, conforms: { $0 == $1 || $1 == "any" }, read: read)
  }

  private func rule(_ body: () throws(ExtensionError) -> PickedDocument) -> DocumentRule? {
    do throws(ExtensionError) {
      _ = try body()
      return nil
    } catch { return error.documentRule }
  }

  @Test func `import from the scratch directory unless another is named`() throws {
    let rules = rules(.import)
    func copy(_ words: String, _ name: String) -> PickedDocument { .copy(name: name, bytes: Array(words.utf8)) }
    #expect(try rules.document("d/own.txt", in: nil) == copy("scratch:d/own.txt", "own.txt"))
    #expect(try rules.document("own.txt", in: "scratch") == copy("scratch:own.txt", "own.txt"))
    #expect(try rules.document("own.txt", in: "container") == copy("container:own.txt", "own.txt"))
    #expect(try rules.document("x/a.txt", in: "documentStorage") == .document(path: "x/a.txt"))
    #expect(try rules.document("later.txt", in: "documentStorage") == .document(path: "later.txt"))
    #expect(
      rule { () throws(ExtensionError) in try rules.document("none.txt", in: "documentStorage") } == .readableFile)
    #expect(rule { () throws(ExtensionError) in try rules.document("x", in: "documentStorage") } == .readableFile)
  }

  @Test func `open what is in the storage, and in no other directory`() throws {
    let rules = rules(.open)
    #expect(try rules.document("x/a.txt", in: nil) == .document(path: "x/a.txt"))
    #expect(try rules.document("x/a.txt", in: "documentStorage") == .document(path: "x/a.txt"))
    for directory in ["scratch", "container", ""] {
      #expect(rule { () throws(ExtensionError) in try rules.document("x/a.txt", in: directory) } == .belowStorage)
    }
    let without = self.rules(.open, hasStorage: false)
    #expect(rule { () throws(ExtensionError) in try without.document("x/a.txt", in: nil) } == .noStorage)
    #expect(
      try self.rules(.import, hasStorage: false).document("a", in: nil)
        == .copy(name: "a", bytes: Array("scratch:a".utf8)))
  }

  @Test func `take any of the types, by the name of the file`() throws {
    for (types, isTaken) in [
      ([], true), (["txt"], true), (["png", "txt"], true), (["png"], false), (["png", "any"], true), (["x"], false),
    ] as [([String], Bool)] {
      let rules = rules(.open, validTypes: types)
      #expect(
        rule { () throws(ExtensionError) in try rules.document("x/a.txt", in: nil) } == (isTaken ? nil : .validTypes))
    }
    let error = #expect(throws: ExtensionError.self) {
      try rules(.open, validTypes: ["png", "gif"]).document("x/a.txt", in: nil)
    }
    #expect(error?.message == "“a.txt” is txt, and the host takes png, gif.")
    // What is saved was the host's own.
    #expect(try rules(.exportToService, validTypes: ["png"]).document("x/a.txt", in: nil) == .handedOver(name: "a.txt"))
  }

  @Test func `say of what cannot be read which rule that breaks, and leave other failures as they are`() {
    let failures: [(ExtensionError, ExtensionError.Code, DocumentRule?)] = [
      (ExtensionError(.invalidParams, "No."), .invalidParams, .readableFile),
      (.document(.noStorage, "No."), .invalidParams, .noStorage),
      (ExtensionError(.limitExceeded, "No."), .limitExceeded, nil),
    ]
    for (failure, code, rule) in failures {
      let rules = rules(.import) { (_, _) throws(ExtensionError) in throw failure }
      let error = #expect(throws: ExtensionError.self) { try rules.document("a", in: nil) }
      #expect(error?.code == code && error?.documentRule == rule && error?.message == "No.")
    }
  }

  @Test func `move only what was copied byte for byte`() throws {
    func moved(_ original: [UInt8]?, _ path: String = "x/a.txt", in directory: String? = nil) -> DocumentRule? {
      let rules = rules(.moveToService, original: original)
      return rule { () throws(ExtensionError) in try rules.document(path, in: directory) }
    }
    #expect(try rules(.moveToService, original: [1, 2]).document("x/a.txt", in: nil) == .document(path: "x/a.txt"))
    for original in [[1], [1, 2, 3], [2, 1], [], nil] as [[UInt8]?] { #expect(moved(original) == .copyDiffers) }
    #expect(moved([1, 2], "none.txt") == .copyFirst && moved([1, 2], "later.txt") == .copyFirst)
    #expect(moved([1, 2], "x") == .readableFile && moved([1, 2], in: "scratch") == .belowStorage)
    let exported = rules(.exportToService, original: [9])
    #expect(
      try exported.document("x/a.txt", in: nil) == .handedOver(name: "a.txt"), "the copy may be another form of it")
    #expect(rule { () throws(ExtensionError) in try exported.document("later.txt", in: nil) } == .copyFirst)
    let without = rules(.moveToService, original: [1, 2], hasStorage: false)
    #expect(rule { () throws(ExtensionError) in try without.document("x/a.txt", in: nil) } == .noStorage)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `The pages of a picker` {
  private func entry(_ identifier: String = "i", name: String = "n") -> DocumentPicker.Entry {
    DocumentPicker.Entry(identifier: identifier, name: name, type: "public.data")
  }

  private func withPicker(
    _ list: @escaping @Sendable (String?, String?) async throws -> DocumentPicker.List.Result,
    _ body: @Sendable (PresentedPicker) async throws -> Void
  ) async throws {
    var script = DocumentProbe.Script()
    script.list = list
    try await DocumentStage(script).withPicker(PickerTerms(.import), body)
  }

  @Test func `have a thousand entries at most`() async throws {
    let entry = entry()
    try await withPicker { directory, _ in
      .init(entries: Array(repeating: entry, count: Int(directory ?? "") ?? 0))
    } _: { picker in
      let full = try await picker.page(of: "1000")
      #expect(full.entries.count == 1_000)
      #expect(await refusal { _ = try await picker.page(of: "1001") }?.documentRule == .answer)
      // What was refused is over: the next page is asked for as the first.
      let none = try await picker.page()
      #expect(none.entries.isEmpty)
    }
  }

  @Test func `have entries with identifiers, and with names that are no paths`() async throws {
    let (none, slash) = (entry(""), entry(name: "a/\u{301}b"))
    let (nameless, good) = (entry(name: ""), entry(name: "ä.txt"))
    try await withPicker { directory, _ in
      let odd = ["none": none, "slash": slash, "nameless": nameless][directory ?? ""]
      return .init(entries: [good] + (odd.map { [$0] } ?? []))
    } _: { picker in
      for odd in ["none", "slash", "nameless"] {
        #expect(await refusal { _ = try await picker.page(of: odd) }?.documentRule == .answer, "\(odd)")
      }
      let page = try await picker.page()
      #expect(page.entries.map(\.name) == ["ä.txt"])
    }
  }

  @Test func `go on, and are never the page before`() async throws {
    try await withPicker { _, cursor in
      .init(entries: [], next: cursor == "end" ? nil : "x")
    } _: { picker in
      let (first, other) = (try await picker.page(), try await picker.page(cursor: "y"))
      #expect(first.next == "x" && other.next == "x")
      let last = try await picker.page(cursor: "end")
      #expect(last.next == nil)
      #expect(await refusal { _ = try await picker.page(cursor: "x") }?.documentRule == .answer)
    }
  }

  @Test func `can be asked for again after a failure`() async throws {
    let count = Mutex(0)
    try await withPicker { _, _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number < 3 { throw ExtensionError.fileProvider(.serverUnreachable, "No server.") }
      return .init(entries: [])
    } _: { picker in
      for _ in 0..<2 {
        #expect(await refusal { _ = try await picker.entries() }?.fileProviderCode == .serverUnreachable)
      }
      let entries = try await picker.entries()
      #expect(entries.isEmpty)
    }
  }
}
