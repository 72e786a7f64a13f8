public import Contracts
public import ExtensionHosting
public import ExtensionProtocol
import JSONRPC
import Synchronization

/// A document picker that is shown: the host's end of it. Valid inside
/// `ExtensionProcess.presentPicker(_:service:_:)`.
public final class PresentedPicker: Sendable {
  private struct State {
    var machine = PickerStateMachine()
    /// The granted document; `.some(nil)` for a cancelled picker.
    var granted: PickedDocument??
    var waiter: CheckedContinuation<Void, Never>?
  }

  /// The most entries of one page.
  public static let pageLimit = 1000
  /// The most pages of one folder.
  static let pages = 1000

  private let requestID: String
  private let process: ExtensionProcess
  private let terms: PickerTerms
  private let service: DocumentPickerService
  private let state = Mutex(State())
  /// The memory of the granted copy.
  private let hold: LedgerHold

  init(requestID: String, process: ExtensionProcess, terms: PickerTerms, service: DocumentPickerService) {
    self.requestID = requestID
    self.process = process
    self.terms = terms
    self.service = service
    hold = process.hold()
  }

  var key: DocumentPickerService.Key { .init(instance: process.caller.instance, requestID: requestID) }
  private var name: String { process.caller.identity.displayName }

  /// Shows the picker.
  func prepare() async throws(ExtensionError) {
    try step(.prepare)
    let reference = service.documents.reference(for: process.caller.identity)
    let original = try terms.original.map { original throws(ExtensionError) in
      try process.grant(original.bytes, name: original.name)
    }
    _ = try await process.call(
      DocumentPicker.Prepare(
        requestID: requestID, mode: terms.mode, originalURL: original, originalName: terms.original?.name,
        validTypes: terms.mode.isSaving || terms.validTypes.isEmpty ? nil : terms.validTypes,
        documentStorage: reference?.storage, providerIdentifier: reference?.providerIdentifier))
    try step(.prepared)
  }

  /// One page of a folder.
  ///
  /// - Parameters:
  ///   - directory: the identifier of an entry; `nil` is the outermost folder.
  ///   - cursor: `next` of the page before; `nil` for the first.
  /// - Throws: what the picker throws; `documentRefused` for a page that is too long or has nameless entries.
  public func page(
    of directory: String? = nil, cursor: String? = nil
  ) async throws(ExtensionError) -> DocumentPicker.List.Result {
    try step(.list)
    let page: DocumentPicker.List.Result
    do {
      page = try await process.call(
        DocumentPicker.List(requestID: requestID, directory: directory, cursor: cursor), deadline: .seconds(30))
    } catch {
      try? step(.listed)
      throw error
    }
    // The page may have come with what the process was ended for.
    if process.hasEnded {
      throw await process.exit(before: "its page was taken", method: DocumentPicker.List.method)
    }
    try step(.listed)
    let names = page.entries.allSatisfy { !$0.identifier.isEmpty && !$0.name.isEmpty && !$0.name.utf8.contains(0x2F) }
    guard page.entries.count <= Self.pageLimit, names, page.next != cursor || cursor == nil else {
      throw .document(.answer, "\(name) listed a page that is too long, has nameless entries, or never ends.")
    }
    return page
  }

  /// Everything in a folder, page after page.
  ///
  /// - Throws: what the picker throws; `documentRefused` for pages that never end.
  public func entries(in directory: String? = nil) async throws(ExtensionError) -> [DocumentPicker.Entry] {
    var entries: [DocumentPicker.Entry] = []
    var cursor: String?
    let hold = process.hold()
    defer { withExtendedLifetime(hold) {} }
    for _ in 0..<Self.pages {
      let page = try await page(of: directory, cursor: cursor)
      try hold.keep(page)
      entries += page.entries
      cursor = page.next
      guard cursor != nil else { return entries }
    }
    throw .document(.answer, "\(name) listed more than \(Self.pages) pages.")
  }

  /// Takes a document, for import and open.
  ///
  /// - Returns: `nil` when the picker was cancelled.
  /// - Throws: what the picker throws; `deadlineExceeded` when it is not dismissed within a minute of its answer;
  ///   `peerExited`.
  public func select(_ identifier: String) async throws(ExtensionError) -> PickedDocument? {
    try await choose(DocumentPicker.Select(requestID: requestID, identifier: identifier))
  }

  /// Puts the document into a folder, for export and move.
  ///
  /// - Parameter destination: the identifier of a folder; empty is the outermost.
  /// - Throws: as ``select(_:)``.
  public func save(to destination: String = "") async throws(ExtensionError) -> PickedDocument? {
    try await choose(DocumentPicker.Select(requestID: requestID, destination: destination))
  }

  private func choose(_ choice: DocumentPicker.Select) async throws(ExtensionError) -> PickedDocument? {
    guard (choice.destination != nil) == terms.mode.isSaving else {
      throw .document(.presented, "A picker that is shown to \(terms.mode.rawValue) takes another choice.")
    }
    try step(.select)
    do {
      _ = try await process.call(choice, deadline: .seconds(120))
    } catch {
      try? step(.unselected)
      throw error
    }
    try step(.selected)
    let granted = try await process.within(.seconds(60)) {
      await self.dismissal()
    } timeout: {
      ExtensionError(.deadlineExceeded, "\(name) heard the choice and granted access to nothing.")
    }
    guard let granted else {
      throw ExtensionError(.peerExited, "\(name) ended before it granted access to a document.")
    }
    return granted
  }

  /// Waits until the picker is dismissed.
  private func dismissal() async -> PickedDocument?? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.machine.state == .waiting { state.waiter = continuation }
          return state.machine.state != .waiting
        }
        if isOver || Task.isCancelled { wake(continuation, isOver) }
      }
    } onCancel: {
      fail()
    }
    return state.withLock { $0.granted }
  }

  private func wake(_ continuation: CheckedContinuation<Void, Never>, _ isOver: Bool) {
    if isOver { continuation.resume() } else { fail() }
  }

  /// `picker/dismissGrantingAccess`.
  func dismiss(_ params: DocumentPicker.DismissGrantingAccess) throws(ExtensionError) {
    try checkState { state throws(PickerStateMachine.Refusal) in try state.machine.check() }
    var document: PickedDocument?
    if let url = params.url { document = try grant.document(url, in: params.directory) }
    // Who finds the picker dismissed finds the document, too.
    let waiter = try checkState { state throws(PickerStateMachine.Refusal) in
      try state.machine.event(.dismiss)
      state.granted = .some(document)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  /// Ends the presentation when its scope has ended.
  func fail() {
    let waiter = state.withLock { state in
      try? state.machine.event(.end)
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume()
  }

  private var grant: PickerGrantRules {
    let documents = service.documents
    let (process, hold) = (process, hold)
    let identity = process.caller.identity
    return PickerGrantRules(
      terms: terms, extensionName: name, storage: try? documents.storage(of: identity), type: service.type,
      conforms: service.conforms
    ) { directory, path throws(ExtensionError) in
      let folder: String
      switch directory {
      case PickerGrantRules.scratchDirectory: return try process.take(path, limit: DocumentStorage.limit, on: hold)
      case "container": folder = documents.container(of: identity)
      default:
        guard process.caller.isEntitled(toGroup: directory) else {
          throw .document(.readableFile, "“\(directory)” is not a directory of \(identity.displayName).")
        }
        folder = documents.container(ofGroup: directory)
      }
      return try GrantedFile.read(
        path, limit: DocumentStorage.limit, in: folder, as: process.fileUser, from: identity.displayName, on: hold)
    }
  }

  private func step(_ event: PickerStateMachine.Event) throws(ExtensionError) {
    try checkState { state throws(PickerStateMachine.Refusal) in try state.machine.event(event) }
  }

  private func checkState<Value: Sendable>(
    _ body: (inout State) throws(PickerStateMachine.Refusal) -> Value
  ) throws(ExtensionError) -> Value {
    do {
      return try state.withLock { state throws(PickerStateMachine.Refusal) in try body(&state) }
    } catch {
      switch error {
      case .notPresented: throw .document(.presented, "The picker of the request \(requestID) is not shown yet.")
      case .busy: throw .document(.presented, "The picker of the request \(requestID) is asked something else now.")
      case .dismissed: throw ExtensionError(.alreadyCompleted, "The picker \(requestID) was dismissed already.")
      case .ended: throw ExtensionError(.requestUnknown, "The picker of the request \(requestID) is over.")
      }
    }
  }
}

extension ExtensionProcess {
  /// Shows a document picker, and runs the body with it. When the body throws, the request is withdrawn.
  ///
  /// - Parameter service: hears what the picker grants; one of the host's services.
  public func presentPicker<Result>(
    _ terms: PickerTerms, service: DocumentPickerService, _ body: (PresentedPicker) async throws -> Result
  ) async throws -> Result {
    try await service.requests.withRequest(of: self) { requestID in
      let picker = PresentedPicker(requestID: requestID, process: self, terms: terms, service: service)
      service.open(picker)
      defer { service.close(picker) }
      try await picker.prepare()
      return try await body(picker)
    }
  }
}
