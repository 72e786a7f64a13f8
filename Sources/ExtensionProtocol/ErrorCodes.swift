/// Every code that this project puts on the wire: its number, its name, and what a reader can do about it.
///
/// Numbers below -32099 and above -32000 belong to JSON-RPC 2.0 and to LSP's cancellation code.
extension ExtensionError.Code {
  // JSON-RPC 2.0
  public static let parseError = Self(number: -32700, name: "parseError")
  public static let invalidRequest = Self(number: -32600, name: "invalidRequest")
  public static let methodNotFound = Self(number: -32601, name: "methodNotFound")
  public static let invalidParams = Self(number: -32602, name: "invalidParams")
  public static let internalError = Self(number: -32603, name: "internalError")

  // Run time
  public static let handlerFailed = Self(number: -32000, name: "handlerFailed")
  public static let peerExited = Self(number: -32001, name: "peerExited")
  public static let notInitialized = Self(number: -32002, name: "notInitialized")
  public static let alreadyInitialized = Self(number: -32003, name: "alreadyInitialized")
  public static let frameTooLarge = Self(number: -32004, name: "frameTooLarge")
  public static let queueFull = Self(number: -32005, name: "queueFull")
  public static let deadlineExceeded = Self(number: -32006, name: "deadlineExceeded")
  public static let shuttingDown = Self(number: -32007, name: "shuttingDown")
  public static let responseUnserialisable = Self(number: -32008, name: "responseUnserialisable")
  public static let streamUnknown = Self(number: -32009, name: "streamUnknown")
  public static let protocolViolation = Self(number: -32010, name: "protocolViolation")
  public static let launchFailed = Self(number: -32011, name: "launchFailed")
  public static let sandboxUnavailable = Self(number: -32012, name: "sandboxUnavailable")

  // Contract
  public static let versionUnsupported = Self(number: -32020, name: "versionUnsupported")
  public static let capabilityMissing = Self(number: -32021, name: "capabilityMissing")
  public static let permissionDenied = Self(number: -32022, name: "permissionDenied")
  public static let apiUnavailable = Self(number: -32023, name: "apiUnavailable")
  public static let pointDisallows = Self(number: -32024, name: "pointDisallows")
  public static let requestUnknown = Self(number: -32025, name: "requestUnknown")
  public static let alreadyCompleted = Self(number: -32026, name: "alreadyCompleted")
  public static let groupNotEntitled = Self(number: -32027, name: "groupNotEntitled")
  public static let quarantined = Self(number: -32028, name: "quarantined")
  public static let activationMismatch = Self(number: -32029, name: "activationMismatch")
  public static let limitExceeded = Self(number: -32030, name: "limitExceeded")
  public static let extensionUnknown = Self(number: -32031, name: "extensionUnknown")
  public static let extensionInvalid = Self(number: -32032, name: "extensionInvalid")
  public static let serviceUnavailable = Self(number: -32033, name: "serviceUnavailable")
  public static let contentFailed = Self(number: -32034, name: "contentFailed")
  public static let storeFailed = Self(number: -32035, name: "storeFailed")
  public static let schemeUnregistered = Self(number: -32036, name: "schemeUnregistered")
  public static let contentInvalid = Self(number: -32037, name: "contentInvalid")
  public static let networkFailed = Self(number: -32038, name: "networkFailed")
  public static let editingFailed = Self(number: -32039, name: "editingFailed")
  public static let documentRefused = Self(number: -32040, name: "documentRefused")

  /// An error of one of Apple's domains; `details` has `domain`, `code`, `localizedDescription`.
  public static let framework = Self(number: -32050, name: "framework")
  public static let cancelled = Self(number: -32800, name: "cancelled")

  /// Every code above with its advice, in the order of the numbers.
  public static let table: [(code: Self, recovery: String)] = [
    (.parseError, "Send one JSON-RPC 2.0 message in valid UTF-8 JSON per frame, without duplicate keys."),
    (.invalidRequest, "Send an object with jsonrpc \"2.0\", a method and, for a request, an id."),
    (.methodNotFound, "Check the method's spelling, and that this peer serves it."),
    (.invalidParams, "Check the params object against the method's contract."),
    (.internalError, "This is a bug; please report it with the message above."),
    (.handlerFailed, "Look at the extension's log for the reason."),
    (.peerExited, "Look at the exit reason and the last lines of the extension's standard error."),
    (.notInitialized, "Answer \"initialize\" and wait for \"initialized\" before other requests."),
    (.alreadyInitialized, "Send \"initialize\" once."),
    (.frameTooLarge, "Keep a message under 4 MiB, or pass large data as a file."),
    (.queueFull, "Wait for answers before sending more requests."),
    (.deadlineExceeded, "Check whether the other side is stuck, or raise the deadline."),
    (.shuttingDown, "Start a new request after the restart."),
    (.responseUnserialisable, "Return a result that JSON can hold (no NaN, no infinity)."),
    (.streamUnknown, "Open the stream again."),
    (.protocolViolation, "Make the peer speak JSON-RPC 2.0 in the framing that its manifest names."),
    (.launchFailed, "Check that the executable exists, can be run, and is what the manifest names."),
    (.sandboxUnavailable, "Provide what the message says that this machine lacks."),
    (.versionUnsupported, "Rebuild the extension against this host's protocol version."),
    (.capabilityMissing, "Use a host or an extension that offers the capability."),
    (.permissionDenied, "Add the entitlement to the extension's manifest, or grant the permission."),
    (.apiUnavailable, "Use the replacement that the message names."),
    (.pointDisallows, "Use another extension point, or leave this call to the containing app."),
    (.requestUnknown, "Use the requestID of a request that has not ended."),
    (.alreadyCompleted, "Complete or cancel a request exactly once."),
    (.groupNotEntitled, "Name the app group in the manifests of both the extension and its containing app."),
    (.quarantined, "Mend the extension, then reset it."),
    (.activationMismatch, "Pass items that the activation rule accepts, or choose an extension yourself."),
    (.limitExceeded, "Stay below the limit that the message names."),
    (.extensionUnknown, "Check the identifier: the registry has no such extension."),
    (.extensionInvalid, "Mend the problems listed in the manifest."),
    (.serviceUnavailable, "Check that the service runs and that its address is right."),
    (.contentFailed, "Check the content configuration and the AEM host."),
    (.storeFailed, "Check the folder where state is kept: space, permissions, and the file named above."),
    (.schemeUnregistered, "Use a scheme that a containing app declares in CFBundleURLTypes."),
    (.contentInvalid, "Change the text so that the extension accepts it."),
    (.networkFailed, "Look at the kind of the failure in the details, and try again where that may help."),
    (.editingFailed, "The photo is as it was. Try another editor, or mend this one."),
    (.documentRefused, "The document is as it was. See the rule in the details."),
    (.framework, "See the domain and code in the details."),
    (.cancelled, "Nothing to do: the request was cancelled."),
  ]

  /// The code with a number; a number that the table lacks is kept with the name `code<number>`.
  public init(number: Int) {
    self = Self.table.first { $0.code.number == number }?.code ?? Self(number: number, name: "code\(number)")
  }

  /// What a reader can do about this code, where the table knows it.
  public var recovery: String? { Self.table.first { $0.code == self }?.recovery }
}
