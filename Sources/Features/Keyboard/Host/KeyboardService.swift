import JSON
public import Contracts
public import ExtensionHosting
import ExtensionProtocol
import Synchronization

/// `keyboard/…`: takes what keyboards do to the text fields that they have.
public final class KeyboardService: HostService {
  /// The methods that are served, those under `keyboard/`.
  public typealias Contract = Keyboard
  /// A word or shortcut of the user's.
  public typealias LexiconEntry = Keyboard.RequestSupplementaryLexicon.Entry

  private struct Key: Hashable {
    var instance: UInt64
    var sessionID: String
  }

  private let sessions = Mutex<[Key: KeyboardSession]>([:])
  private let lexicon: @Sendable () async -> [LexiconEntry]
  private let permissions: PermissionAuthority?

  /// - Parameters:
  ///   - permissions: the users' decisions about open access; without it no keyboard has open access.
  ///   - lexicon: the user's own words and shortcuts.
  public init(
    permissions: PermissionAuthority? = nil, lexicon: @escaping @Sendable () async -> [LexiconEntry] = { [] }
  ) {
    self.permissions = permissions
    self.lexicon = lexicon
  }

  /// Answers the methods under `keyboard/`, for the fields that the caller has.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(Keyboard.Edit.self) { params, caller in
      try self.session(params.sessionID, of: caller).edit(params.edits)
    }
    Handler(Keyboard.AdvanceToNextInputMode.self) { params, caller in
      try await self.session(params.sessionID, of: caller).leave(.advance)
      return Empty()
    }
    Handler(Keyboard.HandleInputModeList.self) { params, caller in
      try self.session(params.sessionID, of: caller).askForInputModeList()
      return Empty()
    }
    Handler(Keyboard.Dismiss.self) { params, caller in
      try await self.session(params.sessionID, of: caller).leave(.dismiss)
      return Empty()
    }
    Handler(Keyboard.RequestSupplementaryLexicon.self) { params, caller in
      try self.session(params.sessionID, of: caller).requireField()
      return Keyboard.RequestSupplementaryLexicon.Result(entries: await self.lexicon())
    }
    Handler(Keyboard.SetPrimaryLanguage.self) { params, caller in
      try self.session(params.sessionID, of: caller).setPrimaryLanguage(params.primaryLanguage)
      return Empty()
    }
  }

  /// Forgets the fields that the process had.
  public func callerDidExit(_ caller: Caller) async {
    sessions.withLock { $0 = $0.filter { $0.key.instance != caller.instance } }
  }

  /// Gives a text field to a keyboard while the body runs.
  ///
  /// - Throws: the errors of `keyboard/begin` and of the body; `pointDisallows` when the extension is not a keyboard.
  public func withSession<Result: Sendable>(
    of process: ExtensionProcess, for field: KeyboardField, _ body: (KeyboardSession) async throws -> Result
  ) async throws -> Result {
    let identity = process.caller.identity
    guard identity.point == .keyboard else {
      throw ExtensionError(
        .pointDisallows, "\(identity.displayName) is not a keyboard.",
        recovery: "Use an extension for the extension point keyboard.", details: ["needs": .string("keyboard")])
    }
    let id = RequestIDs.next()
    let session = KeyboardSession(id, process: process, service: self, field)
    let key = Key(instance: process.caller.instance, sessionID: id)
    sessions.withLock { $0[key] = session }
    process.beginRequest(id)
    defer {
      sessions.withLock { $0[key] = nil }
      process.endRequest(id)
    }
    try await session.applyTraits()
    do {
      let result = try await body(session)
      await session.close()
      return result
    } catch {
      await session.close()
      throw error
    }
  }

  /// The two gates: the manifest asks for open access, and the user grants it.
  func hasFullAccess(_ caller: Caller) -> Bool {
    permissions?.state(of: PermissionKind.openAccess.name, for: caller.identity) == .granted
  }

  private func session(_ id: String, of caller: Caller) throws(ExtensionError) -> KeyboardSession {
    guard let session = sessions.withLock({ $0[Key(instance: caller.instance, sessionID: id)] }) else {
      throw Self.noSession(of: caller.identity.displayName)
    }
    return session
  }

  static func noSession(of name: String) -> ExtensionError {
    ExtensionError(
      .requestUnknown, "\(name) does not have this text field.",
      recovery: "Use a session between keyboard/begin and keyboard/end.")
  }
}
