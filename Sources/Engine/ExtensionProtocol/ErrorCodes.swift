/// Every code that this project puts on the wire: its number, its name, and what a reader can do about it.
///
/// Numbers below -32099 and above -32000 belong to JSON-RPC 2.0 and to LSP's cancellation code.
extension ExtensionError.Code {
  // JSON-RPC 2.0
  /// The bytes are not JSON, or not valid UTF-8.
  public static let parseError = Self(number: -32700, name: "parseError")
  /// JSON, but not a request; a batch, too.
  public static let invalidRequest = Self(number: -32600, name: "invalidRequest")
  /// The peer does not serve the method.
  public static let methodNotFound = Self(number: -32601, name: "methodNotFound")
  /// The params have another shape than the method demands; `details.path` is the key path where it is known.
  public static let invalidParams = Self(number: -32602, name: "invalidParams")
  /// A fault of the peer itself.
  public static let internalError = Self(number: -32603, name: "internalError")

  // Run time
  /// A handler threw an error that has no code of its own.
  public static let handlerFailed = Self(number: -32000, name: "handlerFailed")
  /// The other side ended, or the connection was closed, before it answered.
  public static let peerExited = Self(number: -32001, name: "peerExited")
  /// A request came before the handshake was over.
  public static let notInitialized = Self(number: -32002, name: "notInitialized")
  /// `initialize` was sent a second time.
  public static let alreadyInitialized = Self(number: -32003, name: "alreadyInitialized")
  /// A message is longer than the connection allows.
  public static let frameTooLarge = Self(number: -32004, name: "frameTooLarge")
  /// Too many requests wait for an answer, or too many bytes wait to be sent.
  public static let queueFull = Self(number: -32005, name: "queueFull")
  /// No answer came within the deadline.
  public static let deadlineExceeded = Self(number: -32006, name: "deadlineExceeded")
  /// The host, or the part of it that the call needs, has ended or is about to.
  public static let shuttingDown = Self(number: -32007, name: "shuttingDown")
  /// A result cannot be written as JSON.
  public static let responseUnserialisable = Self(number: -32008, name: "responseUnserialisable")
  /// The stream does not exist, has ended, or is being read already.
  public static let streamUnknown = Self(number: -32009, name: "streamUnknown")
  /// The peer broke a rule of the protocol.
  public static let protocolViolation = Self(number: -32010, name: "protocolViolation")
  /// The process of the extension could not be started.
  public static let launchFailed = Self(number: -32011, name: "launchFailed")
  /// A part of the sandbox cannot be applied on this machine, so nothing was started.
  public static let sandboxUnavailable = Self(number: -32012, name: "sandboxUnavailable")

  // Contract
  /// The two sides have no protocol version in common.
  public static let versionUnsupported = Self(number: -32020, name: "versionUnsupported")
  /// The other side lacks a capability that the call needs.
  public static let capabilityMissing = Self(number: -32021, name: "capabilityMissing")
  /// An entitlement or a permission is missing.
  public static let permissionDenied = Self(number: -32022, name: "permissionDenied")
  /// The call has been replaced, or is not offered to extensions.
  public static let apiUnavailable = Self(number: -32023, name: "apiUnavailable")
  /// The extension point may not make this call.
  public static let pointDisallows = Self(number: -32024, name: "pointDisallows")
  /// There is no open request with this `requestID`.
  public static let requestUnknown = Self(number: -32025, name: "requestUnknown")
  /// The request was completed or cancelled before.
  public static let alreadyCompleted = Self(number: -32026, name: "alreadyCompleted")
  /// The app group is not in both manifests.
  public static let groupNotEntitled = Self(number: -32027, name: "groupNotEntitled")
  /// The extension failed too often and is disabled.
  public static let quarantined = Self(number: -32028, name: "quarantined")
  /// The items do not satisfy the activation rule.
  public static let activationMismatch = Self(number: -32029, name: "activationMismatch")
  /// A limit of memory, time, threads, files or size was passed.
  public static let limitExceeded = Self(number: -32030, name: "limitExceeded")
  /// No extension has this identifier.
  public static let extensionUnknown = Self(number: -32031, name: "extensionUnknown")
  /// The manifest of the extension has errors.
  public static let extensionInvalid = Self(number: -32032, name: "extensionInvalid")
  /// A service that the call needs cannot be reached.
  public static let serviceUnavailable = Self(number: -32033, name: "serviceUnavailable")
  /// AEM content could not be fetched or read.
  public static let contentFailed = Self(number: -32034, name: "contentFailed")
  /// State could not be read or written.
  public static let storeFailed = Self(number: -32035, name: "storeFailed")
  /// No containing app has declared the URL scheme.
  public static let schemeUnregistered = Self(number: -32036, name: "schemeUnregistered")
  /// The extension refused what the user wrote.
  public static let contentInvalid = Self(number: -32037, name: "contentInvalid")
  /// A request over the network failed; `details` has the kind of failure.
  public static let networkFailed = Self(number: -32038, name: "networkFailed")
  /// A photo could not be edited, and is unchanged.
  public static let editingFailed = Self(number: -32039, name: "editingFailed")
  /// A document could not be opened, moved or saved under the rules of its provider.
  public static let documentRefused = Self(number: -32040, name: "documentRefused")
  /// A sign-in failed, or no token could be obtained; `details` has the kind of failure.
  public static let authFailed = Self(number: -32041, name: "authFailed")
  /// The user has to sign in or to consent again; `details` has the kind.
  public static let interactionRequired = Self(number: -32042, name: "interactionRequired")
  /// An operation of Data Connect has no response; `details` has the kind of failure.
  public static let dataFailed = Self(number: -32043, name: "dataFailed")

  /// An error of one of Apple's domains; `details` has `domain`, `code`, `localizedDescription`.
  public static let framework = Self(number: -32050, name: "framework")
  /// The caller cancelled the request.
  public static let cancelled = Self(number: -32800, name: "cancelled")

  /// Every code above with its advice, in the order of the numbers.
  public static let table: [(code: Self, recovery: String)] = [
    (.parseError, "Send one JSON-RPC 2.0 message in valid UTF-8 JSON per frame, without duplicate keys."),
    (.invalidRequest, "Send an object with jsonrpc \"2.0\", a method and, for a request, an id."),
    (.methodNotFound, "Check the method's spelling. \"host api\" lists the methods that each side serves."),
    (.invalidParams, "Compare the params with the method's schema, which \"host api --schema\" prints."),
    (.internalError, "This is a bug. Please report it with the message above."),
    (
      .handlerFailed,
      "Run \"host why ID\" with the extension's identifier: it shows what the extension wrote before it failed."
    ),
    (
      .peerExited,
      "Run \"host why ID\" with the extension's identifier: it shows how the process ended and the last lines of its standard error."
    ),
    (.notInitialized, "Answer \"initialize\" and wait for \"initialized\" before other requests."),
    (.alreadyInitialized, "Send \"initialize\" once."),
    (.frameTooLarge, "Keep a message under 4 MiB, or pass large data as a file."),
    (.queueFull, "Wait for answers before sending more requests."),
    (.deadlineExceeded, "Run \"host trace ID -o FILE\" to see which call got no answer, or raise the deadline."),
    (.shuttingDown, "Send the request again when the host has started again."),
    (.responseUnserialisable, "Return a result that JSON can hold (no NaN, no infinity)."),
    (.streamUnknown, "Open the stream again."),
    (
      .protocolViolation,
      "Send JSON-RPC 2.0 in the framing that the manifest names; \"host conform ID\" shows which rule is broken."
    ),
    (
      .launchFailed,
      "Check that the file that CFBundleExecutable names exists and is executable: \"host verify BUNDLE\" says what is wrong."
    ),
    (.sandboxUnavailable, "Run \"host doctor\": it shows what this machine lacks and how to provide it."),
    (.versionUnsupported, "Rebuild the extension against this host's protocol version."),
    (.capabilityMissing, "Use a host or an extension that offers the capability."),
    (
      .permissionDenied,
      "Add the entitlement to the extension's manifest, or grant the permission: \"host permissions ID grant NAME\"."
    ),
    (.apiUnavailable, "Use the replacement that the message names."),
    (.pointDisallows, "Use another extension point, or leave this call to the containing app."),
    (.requestUnknown, "Use the requestID of a request that has not ended."),
    (.alreadyCompleted, "Complete or cancel a request exactly once."),
    (.groupNotEntitled, "Name the app group in the manifests of both the extension and its containing app."),
    (.quarantined, "Run \"host why ID\" for the reason, correct the extension, then run \"host reset ID\"."),
    (.activationMismatch, "Pass items that the activation rule accepts, or choose an extension yourself."),
    (.limitExceeded, "Use less than the limit that the message names."),
    (.extensionUnknown, "Check the identifier: \"host list\" shows those that the registry has."),
    (.extensionInvalid, "Correct the manifest: \"host verify BUNDLE\" lists each problem with its file and line."),
    (.serviceUnavailable, "Check that the service runs and that its address is right."),
    (.contentFailed, "Check AEM_SCHEME, AEM_HOST and AEM_AUTH_TYPE in Config.xcconfig, and that the server answers."),
    (
      .storeFailed,
      "Check the file or folder named above, its permissions, and the free space: \"host doctor\" shows where state is kept."
    ),
    (.schemeUnregistered, "Use a scheme that a containing app declares in CFBundleURLTypes."),
    (.contentInvalid, "Change the text so that the extension accepts it."),
    (.networkFailed, "The details name the kind of the failure. Check the address and the connection, then try again."),
    (.editingFailed, "The photo is unchanged. Try another editor; \"host why ID\" shows why this one failed."),
    (.documentRefused, "The document is unchanged. The details name the rule that was broken."),
    (
      .authFailed,
      "The details name the kind of the failure. Check the account and the identity server, then sign in again."
    ),
    (.interactionRequired, "Have the user sign in, then try again."),
    (
      .dataFailed,
      "The details name the kind of the failure. Check that the Data Connect server answers, then try again."
    ),
    (
      .framework,
      "Look up the code in the documentation of the error's domain, such as NSCocoaErrorDomain; with --json a command prints both."
    ),
    (.cancelled, "Nothing to do: the request was cancelled."),
  ]

  /// What only a host can find of an extension, and no extension of itself. A call that the caller cancelled ends with what
  /// the connection says.
  package static let foundByHost: Set<Self> = [
    .peerExited, .deadlineExceeded, .frameTooLarge, .queueFull, .shuttingDown, .protocolViolation, .launchFailed,
    .sandboxUnavailable, .versionUnsupported, .quarantined, .extensionUnknown, .extensionInvalid, .cancelled,
  ]

  /// The code with a number; a number that the table lacks is kept with the name `code<number>`.
  public init(number: Int) {
    self = Self.table.first { $0.code.number == number }?.code ?? Self(number: number, name: "code\(number)")
  }

  /// What a reader can do about this code, where the table knows it.
  public var recovery: String? { Self.table.first { $0.code == self }?.recovery }
}
