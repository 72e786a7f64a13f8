import ImageFile
import Contracts
public import ExtensionHosting
import ExtensionProtocol
import Synchronization

/// Edits photos with one process of a Photo Editing extension, one at a time.
public final class PhotoEditor: Sendable {
  private let process: ExtensionProcess
  private let supportedMediaTypes: [String]
  private let session = Mutex(Session())

  private struct Session {
    var machine = PhotoEditingStateMachine()
    var id = ""
    var earlier: AdjustmentData?
  }

  /// Output types that are taken, the default first.
  public static let supportedOutputTypes = ["public.jpeg", "public.png"]
  /// The largest edited photo, in bytes: what the sandbox lets an extension write into one file.
  static let outputLimit = 64 << 20

  /// - Parameters:
  ///   - process: an extension that runs, of the point for photo editing.
  ///   - supportedMediaTypes: the manifest's `PHSupportedMediaTypes`; `Image` when it names none.
  public init(_ process: ExtensionProcess, supportedMediaTypes: [String] = ["Image"]) {
    self.process = process
    self.supportedMediaTypes = supportedMediaTypes
  }

  /// Sends a photo to the extension.
  ///
  /// - Parameters:
  ///   - photo: the photo, with its earlier edit.
  ///   - options: the user's choices for the editor.
  /// - Returns: whether the extension resumes the earlier edit; otherwise it edits the photo as it looks now.
  /// - Throws: `editingFailed` with `mediaTypeUnsupported` or `sessionBusy`; the errors of the calls.
  public func start(_ photo: EditablePhoto, options: [String: String] = [:]) async throws -> Bool {
    let format = try supported(photo)
    let earlier = photo.original == nil ? nil : photo.adjustmentData
    let id = RequestIDs.next()
    var actions = try session.withLock { session throws(ExtensionError) in
      if session.machine.state == .ended { session.machine = PhotoEditingStateMachine() }
      let actions = try Self.step(&session.machine, earlier == nil ? .begin : .beginAgain, process)
      session.id = id
      session.earlier = photo.adjustmentData
      return actions
    }
    process.beginRequest(id)
    return try await failing(id) {
      if actions == [.askCanHandle], let earlier {
        let canHandle = try await canHandle(earlier)
        actions = try event(canHandle ? .canHandle : .cannotHandle, of: id)
      }
      guard case .start(let fromOriginal)? = actions.first else { return false }
      try await start(id, photo, format, earlier: fromOriginal ? earlier : nil, options)
      _ = try event(.started, of: id)
      return fromOriginal
    }
  }

  /// Asks whether cancelling now would lose work. An extension that does not say loses none.
  public func shouldShowCancelConfirmation() async -> Bool {
    let id = session.withLock { $0.id }
    let answer = try? await process.call(PhotoEditing.ShouldShowCancelConfirmation(sessionID: id))
    return answer?.show ?? false
  }

  /// Ends the session with the edited photo.
  ///
  /// - Returns: `nil` when the extension has nothing to save. Otherwise call ``consumed(saved:error:)`` afterwards.
  /// - Throws: `editingFailed` with a ``PhotoEditingRefusal`` as `details.reason`; what the call throws.
  public func finish(deadline: Duration = .seconds(120)) async throws -> EditedPhoto? {
    let (id, earlier) = session.withLock { ($0.id, $0.earlier) }
    _ = try event(.finish, of: id)
    return try await failing(id) { () async throws -> EditedPhoto? in
      let directory = try process.grantDirectory("photo-\(id)")
      let answer: PhotoEditing.FinishContentEditing.Result
      do {
        answer = try await process.call(
          PhotoEditing.FinishContentEditing(
            sessionID: id, outputDirectory: directory, supportedTypes: Self.supportedOutputTypes), deadline: deadline)
      } catch {
        if wasCancelled(id) { throw refusal(.cancelledDuringFinish) }
        throw error
      }
      if wasCancelled(id) { throw refusal(.cancelledDuringFinish) }
      let actions = try event(answer.output == nil ? .noOutput : .output, of: id)
      if actions == [.discard] { throw refusal(.cancelledDuringFinish) }
      guard let output = answer.output else { return nil }
      let check = PhotoOutputCheck(
        extensionName: name, earlier: earlier, outputDirectory: directory,
        supportedTypes: Self.supportedOutputTypes
      ) { [process] path throws(ExtensionError) in try process.take(path, limit: Self.outputLimit) }
      do {
        let (bytes, adjustment) = try check.bytes(of: output)
        return EditedPhoto(bytes: bytes, type: output.renderedContent?.type ?? "", adjustmentData: adjustment)
      } catch {
        await consumed(id, saved: false, error: ExtensionError(wrapping: error).message)
        throw error
      }
    }
  }

  /// Tells the extension what became of its output, so that it can clean up.
  public func consumed(saved: Bool, error: String? = nil) async {
    await consumed(session.withLock { $0.id }, saved: saved, error: error)
  }

  private func consumed(_ id: String, saved: Bool, error: String?) async {
    guard let actions = try? event(.consumed, of: id), actions.contains(.tellConsumed) else { return }
    await process.notify(PhotoEditing.OutputConsumed(sessionID: id, saved: saved, error: error))
  }

  /// Cancels the session, also while ``finish(deadline:)`` waits: nothing is saved then.
  ///
  /// - Throws: `editingFailed` with `noSession` or `sessionBusy`; what the call throws, and then the session has ended
  ///   for the host.
  public func cancel() async throws {
    let id = session.withLock { $0.id }
    let actions = try event(.cancel, of: id)
    guard actions == [.cancel] else { return }
    do {
      _ = try await process.call(PhotoEditing.CancelContentEditing(sessionID: id))
    } catch {
      _ = try? event(.failed, of: id)
      throw error
    }
    // Another session may have begun since, when a failure has ended this one.
    _ = try? event(.cancelled, of: id)
  }

  private var name: String { process.caller.identity.displayName }

  /// Whether a session was cancelled while it was finished. One that another session follows was.
  private func wasCancelled(_ id: String) -> Bool {
    session.withLock { $0.id != id || $0.machine.wasCancelled }
  }

  private func refusal(_ reason: PhotoEditingRefusal, _ detail: String? = nil) -> ExtensionError {
    reason.error(of: name, detail)
  }

  private func supported(_ photo: EditablePhoto) throws(ExtensionError) -> MediaFormat {
    guard let format = MediaFormat(photo.current) else {
      throw refusal(.mediaTypeUnsupported, "This file is neither an image nor a video that is known here.")
    }
    guard supportedMediaTypes.contains(format.mediaType) else {
      throw refusal(
        .mediaTypeUnsupported,
        "\(name) edits \(supportedMediaTypes.joined(separator: ", ")), and this is \(format.rawValue).")
    }
    return format
  }

  /// An extension without the method cannot take any edit up.
  private func canHandle(_ data: AdjustmentData) async throws -> Bool {
    do {
      return try await process.call(PhotoEditing.CanHandleAdjustmentData(data)).canHandle
    } catch {
      guard error.code == .methodNotFound else { throw error }
      return false
    }
  }

  private func start(
    _ id: String, _ photo: EditablePhoto, _ format: MediaFormat, earlier: AdjustmentData?, _ options: [String: String]
  ) async throws {
    let placeholder = try process.grant(photo.current, name: "placeholder")
    let image = earlier == nil ? photo.current : photo.original ?? photo.current
    let path = earlier == nil ? placeholder : try process.grant(image, name: "original")
    let input = PhotoEditingInput(
      mediaType: format.mediaTypeNumber, uniformTypeIdentifier: (MediaFormat(image) ?? format).rawValue,
      creationDate: photo.creationDate, fullSizeImagePath: path,
      fullSizeImageOrientation: ImageOrientation.of(image), adjustmentData: earlier, options: options)
    _ = try await process.call(
      PhotoEditing.StartContentEditing(sessionID: id, input: input, placeholder: .init(path: placeholder)),
      deadline: .seconds(30))
  }

  /// Takes an event of one session.
  ///
  /// - Throws: `editingFailed`: `noSession` for the event of a session that another one follows, and what the machine
  ///   refuses.
  private func event(
    _ event: PhotoEditingStateMachine.Event, of id: String
  ) throws(ExtensionError) -> [PhotoEditingStateMachine.Action] {
    let (actions, ended) = try session.withLock { session throws(ExtensionError) in
      guard session.id == id else { throw PhotoEditingRefusal.noSession.error(of: process.caller.identity.displayName) }
      let actions = try Self.step(&session.machine, event, process)
      return (actions, session.machine.state == .ended ? session.id : nil)
    }
    if let ended { process.endRequest(ended) }
    return actions
  }

  private static func step(
    _ machine: inout PhotoEditingStateMachine, _ event: PhotoEditingStateMachine.Event, _ process: ExtensionProcess
  ) throws(ExtensionError) -> [PhotoEditingStateMachine.Action] {
    do {
      return try machine.event(event)
    } catch {
      throw error.error(of: process.caller.identity.displayName)
    }
  }

  /// Ends a session when the body throws.
  private func failing<Value>(_ id: String, _ body: () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch {
      // A cancel that is under way ends the session itself.
      if session.withLock({ $0.machine.state }) != .cancelling { _ = try? event(.failed, of: id) }
      throw error
    }
  }
}
