public import Contracts
public import ExtensionHosting
import ExtensionProtocol
import Synchronization

/// `picker/…`: receives the grants of Document Pickers and checks them.
public final class DocumentPickerService: HostService {
  /// The one method that is served, `picker/dismissGrantingAccess`.
  public typealias Contract = DocumentPicker

  struct Key: Hashable {
    var instance: UInt64
    var requestID: String
  }

  private let pickers = Mutex<[Key: PresentedPicker]>([:])
  let requests: RequestService
  let documents: FileProviderService
  let conforms: @Sendable (String, String) -> Bool
  let type: @Sendable (String) -> String

  /// - Parameters:
  ///   - requests: opens a request for each picker.
  ///   - documents: knows where the documents of an app lie.
  ///   - type: the uniform type identifier of a file by its name.
  ///   - conforms: whether one type conforms to another.
  public init(
    requests: RequestService, documents: FileProviderService, type: @escaping @Sendable (String) -> String,
    conforms: @escaping @Sendable (String, String) -> Bool
  ) {
    self.requests = requests
    self.documents = documents
    self.type = type
    self.conforms = conforms
  }

  /// Answers `picker/dismissGrantingAccess`, for a picker that is shown and has not been dismissed yet.
  @HandlerBuilder public var handlers: [Handler] {
    Handler(DocumentPicker.DismissGrantingAccess.self) { params, caller in
      let key = Key(instance: caller.instance, requestID: params.requestID)
      guard let picker = self.pickers.withLock({ $0[key] }) else {
        throw ExtensionError(.requestUnknown, "There is no open picker for the request \(params.requestID).")
      }
      try picker.dismiss(params)
      return Empty()
    }
  }

  /// Ends the presentations of the process: waiting callers receive `peerExited`.
  public func callerDidExit(_ caller: Caller) async {
    let gone = pickers.withLock { pickers in
      let gone = pickers.filter { $0.key.instance == caller.instance }
      for key in gone.keys { pickers.removeValue(forKey: key) }
      return gone.values
    }
    for picker in gone { picker.fail() }
  }

  func open(_ picker: PresentedPicker) { pickers.withLock { $0[picker.key] = picker } }

  func close(_ picker: PresentedPicker) {
    pickers.withLock { _ = $0.removeValue(forKey: picker.key) }
    picker.fail()
  }
}
