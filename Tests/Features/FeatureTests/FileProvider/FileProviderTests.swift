import AppExtensions
import ExtensionHosting
import Foundation
import Synchronization
import Testing

@testable import HostServices

@Suite(.timeLimit(.minutes(1)))
struct `A file provider` {
  @Test func `writes a placeholder, then the content, and keeps the placeholder when it stops`() async throws {
    let stage = try DocumentStage()
    try await stage.withProvider { documents, _ in
      let value1 = try await documents.read("trips/plan.txt")
      #expect(value1 == Array("hello".utf8))
      #expect(stage.text("trips/plan.txt") == "hello")
    }
    #expect(stage.journal.all == ["placeholder trips/plan.txt", "start trips/plan.txt", "stop trips/plan.txt"])
    #expect(stage.text("trips/plan.txt") == nil)
    #expect(stage.text("trips/.plan.txt.placeholder")?.contains("\"size\":5") == true)
  }

  @Test func `is not asked for content by who reads name and size`() async throws {
    let stage = try DocumentStage()
    let metadata = try await stage.withProvider { documents, _ in try await documents.metadata(of: "a.txt") }
    #expect(metadata == FileProvider.Metadata(name: "a.txt", size: 5))
    #expect(stage.journal.all == ["placeholder a.txt"])
  }

  @Test func `is told of a change by others and not by its own purpose`() async throws {
    let stage = try DocumentStage()
    try await stage.withProvider { documents, _ in
      for purpose in ["com.example.editor", "com.example.test"] {
        #expect(try await documents.update("a.txt", purpose: purpose) { $0 + Array("!".utf8) })
      }
      #expect(try await documents.update("a.txt") { _ in nil } == false)
      try await documents.settle()
    }
    #expect(stage.journal.all.filter { $0.hasPrefix("changed") } == ["changed a.txt by com.example.editor"])
  }

  @Test func `has nobody left who hears of its progress once a document may be used`() async throws {
    try await DocumentStage().withProvider { documents, _ in
      let token = try await documents.claim("a.txt", for: .read, onProgress: { _ in })
      #expect(documents.state.withLock { $0.hearers.isEmpty })
      documents.release(token, changed: false)
    }
  }

  @Test func `has its error reach the reader, with domain and code`() async throws {
    var script = DocumentProbe.Script()
    script.start = { _ in throw ExtensionError.fileProvider(.serverUnreachable, "No server.") }
    let stage = try DocumentStage(script)
    try await stage.withProvider { documents, _ in
      let error = await refusal { _ = try await documents.read("a.txt") }
      #expect(error?.fileProviderCode == .serverUnreachable)
      #expect(error?.message == "No server.")
    }
    #expect(stage.text(".a.txt.placeholder") != nil)
  }

  @Test func `has what it says of a change reach who settles`() async throws {
    var script = DocumentProbe.Script()
    script.changed = { _ in throw ExtensionError.fileProvider(.insufficientQuota, "Full.") }
    try await DocumentStage(script).withProvider { documents, _ in
      _ = try await documents.update("a.txt") { _ in [1] }
      let error = await refusal { try await documents.settle() }
      #expect(error?.fileProviderCode == .insufficientQuota)
      try await documents.settle()
    }
  }

  @Test func `takes back what it said of a file with the next change that it takes`() async throws {
    var script = DocumentProbe.Script()
    let isFull = Mutex(true)
    script.changed = { _ in
      if isFull.withLock({ $0 }) { throw ExtensionError.fileProvider(.insufficientQuota, "Full.") }
    }
    try await DocumentStage(script).withProvider { documents, _ in
      for name in ["a.txt", "b.txt"] { _ = try await documents.update(name) { _ in [1] } }
      await documents.untilQuiet()
      isFull.withLock { $0 = false }
      _ = try await documents.update("a.txt") { _ in [2] }
      await documents.untilQuiet()
      // What was said of the other file stays.
      let error = await refusal { try await documents.settle() }
      #expect(error?.fileProviderCode == .insufficientQuota)
      isFull.withLock { $0 = true }
      _ = try await documents.update("a.txt") { _ in [3] }
      await documents.untilQuiet()
      isFull.withLock { $0 = false }
      _ = try await documents.update("a.txt") { _ in [4] }
      try await documents.settle()
    }
  }

  @Test func `reports progress to the reader`() async throws {
    var script = DocumentProbe.Script()
    script.start = { item in
      item.context.reportProgress(1, total: 4)
      try await item.write { try $0.append([1]) }
    }
    let heard = Mutex<[Double]>([])
    try await DocumentStage(script).withProvider { documents, _ in
      _ = try await documents.read("a.txt") { progress in heard.withLock { $0.append(progress.progress) } }
    }
    #expect(heard.withLock { $0 } == [1])
  }

  @Test func `reports progress to who waits, and not to who has waited before`() async throws {
    let (stops, stop) = AsyncStream.makeStream(of: Void.self)
    let round = Mutex(0.0)
    var script = DocumentProbe.Script(stopped: { _ in stop.yield() })
    script.start = { item in
      let progress = round.withLock { round in
        round += 1
        return round
      }
      item.context.reportProgress(progress, total: 4)
      try await item.write { try $0.append([1]) }
    }
    let (first, second) = (Kept<[Double]>(), Kept<[Double]>())
    let stage = try DocumentStage(script, times: FileCoordinator.Times(idle: .milliseconds(1)))
    try await stage.withProvider { documents, _ in
      _ = try await documents.read("a.txt") { first.keep((first.value ?? []) + [$0.progress]) }
      for await _ in stops { break }
      _ = try await documents.read("a.txt") { second.keep((second.value ?? []) + [$0.progress]) }
    }
    #expect(first.value == [1] && second.value == [2])
  }

  @Test func `has its fetch cancelled when the only reader is, and begins anew for the next`() async throws {
    let (started, start) = AsyncStream.makeStream(of: Void.self)
    let count = Mutex(0)
    var script = DocumentProbe.Script()
    script.start = { item in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst {
        start.yield()
        try await ContinuousClock().sleep(for: .seconds(50))
      }
      try await item.write { try $0.append([7]) }
    }
    try await DocumentStage(script).withProvider { documents, _ in
      let first = await withTaskGroup(of: ExtensionError?.self) { group in
        group.addTask { await refusal { _ = try await documents.read("a.txt") } }
        for await _ in started { break }
        group.cancelAll()
        return await group.next() ?? nil
      }
      #expect(first?.code == .cancelled)
      let value2 = try await documents.read("a.txt")
      #expect(value2 == [7])
    }
  }

  @Test(arguments: [true, false]) func `that does not do what it says is refused`(links: Bool) async throws {
    var script = DocumentProbe.Script()
    script.start = { item in
      guard links else { return }
      try FileManager.default.createSymbolicLink(atPath: item.filePath, withDestinationPath: "/etc/passwd")
    }
    try await DocumentStage(script).withProvider { documents, _ in
      let error = await refusal { _ = try await documents.read("a.txt") }
      #expect(error?.documentRule == .contentProvided)
    }
  }

  @Test func `that plants a link where its folders belong has nothing read or written through it`() async throws {
    let stage = try DocumentStage()
    let secret = stage.folder.appending(path: "secret")
    try FileManager.default.createDirectory(at: secret, withIntermediateDirectories: true)
    try Data("secret".utf8).write(to: secret.appending(path: "a.txt"))
    try await stage.withProvider { documents, _ in
      try FileManager.default.createSymbolicLink(
        at: stage.storage.appending(path: "trips"), withDestinationURL: secret)
      let error = await refusal { _ = try await documents.read("trips/a.txt") }
      #expect(error?.documentRule == .readableFile)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: secret.path)
    #expect(names == ["a.txt"])
  }

  @Test func `keeps identifiers and paths one to one`() async throws {
    var script = DocumentProbe.Script()
    // Two spellings of “é” are two names.
    script.path = { ["odd": "elsewhere", "\u{E9}": "e\u{301}"][$0] ?? ($0 == "gone" ? nil : $0) }
    try await DocumentStage(script).withProvider { documents, _ in
      let value3 = try await documents.path(for: "a/b")
      #expect(value3 == "a/b")
      let value4 = try await documents.identifier(for: "a/b")
      #expect(value4 == "a/b")
      #expect(await refusal { _ = try await documents.path(for: "odd") }?.documentRule == .staticIdentifier)
      #expect(await refusal { _ = try await documents.path(for: "\u{E9}") }?.documentRule == .staticIdentifier)
      #expect(await refusal { _ = try await documents.path(for: "gone") }?.fileProviderCode == .noSuchItem)
      #expect(await refusal { _ = try await documents.path(for: "../x") }?.documentRule == .relativePath)
      #expect(await refusal { _ = try await documents.read("/etc/passwd") }?.documentRule == .relativePath)
    }
  }

  @Test func `that waits for a document of its own is refused, unless it says who it is`() async throws {
    let seen = Mutex<DocumentRule?>(nil)
    var script = DocumentProbe.Script()
    script.start = { item in
      do {
        try await item.context.coordinate(item.path, for: .read) {}
      } catch { seen.withLock { $0 = ExtensionError(wrapping: error).documentRule } }
      try await item.context.coordinate(item.path, for: .write, purposeIdentifier: "com.example.test") {
        try await item.write { try $0.append([1]) }
      }
    }
    try await DocumentStage(script).withProvider { documents, _ in
      let value5 = try await documents.read("a.txt")
      #expect(value5 == [1])
    }
    #expect(seen.withLock { $0 } == .ownDocument)
  }

  @Test func `hears of the end of a document's use some time after it`() async throws {
    let (stops, stop) = AsyncStream.makeStream(of: Void.self)
    let stage = try DocumentStage(
      DocumentProbe.Script(stopped: { _ in stop.yield() }), times: FileCoordinator.Times(idle: .milliseconds(1)))
    try await stage.withProvider { documents, _ in
      _ = try await documents.read("a.txt")
      for await _ in stops { break }
      _ = try await documents.read("a.txt")
    }
    #expect(stage.journal.all.filter { $0 == "start a.txt" }.count == 2)
  }

  @Test func `is waited for no longer than others may use a document`() async throws {
    let stage = try DocumentStage(times: FileCoordinator.Times(idle: .zero, queue: .milliseconds(1)))
    try await stage.withProvider { documents, _ in
      _ = try await documents.update("a.txt") { _ in
        #expect(await refusal { _ = try await documents.read("a.txt") }?.code == .deadlineExceeded)
        return nil
      }
    }
  }

  @Test func `of an app without document storage has none`() async throws {
    let stage = try DocumentStage(hasStorage: false)
    #expect(await refusal { try await stage.withProvider { _, _ in } }?.documentRule == .noStorage)
  }
}
