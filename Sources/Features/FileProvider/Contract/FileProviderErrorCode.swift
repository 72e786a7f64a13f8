public import ExtensionProtocol
import JSON

/// The codes of `NSFileProviderErrorDomain`, by Apple's names (NSFileProviderError.h).
public enum FileProviderErrorCode: Int, Sendable, CaseIterable {
  /// The user is not signed in.
  case notAuthenticated = -1000
  /// Another document has the name.
  case filenameCollision = -1001
  /// Has the same number as Apple's `pageExpired`.
  case syncAnchorExpired = -1002
  /// The user's account is full.
  case insufficientQuota = -1003
  /// The server does not answer; trying again later may help.
  case serverUnreachable = -1004
  /// There is no such document.
  case noSuchItem = -1005
  /// The server does not let the document be deleted.
  case deletionRejected = -1006
  /// The folder is not empty, and cannot be deleted as a whole.
  case directoryNotEmpty = -1007
  /// The app has no file provider that could be asked.
  case providerNotFound = -2001
  /// The provider runs from a place where it cannot be used.
  case providerTranslocated = -2002
  /// An older version of the provider runs.
  case olderExtensionVersionRunning = -2003
  /// A newer version of the provider is there.
  case newerExtensionVersionFound = -2004
  /// The document cannot be synchronised.
  case cannotSynchronize = -2005
  /// Something in the folder cannot be evicted.
  case nonEvictableChildren = -2006
  /// There are edits that were not sent to the server.
  case unsyncedEdits = -2007
  /// The content has to stay on this machine.
  case nonEvictable = -2008
  /// The server does not keep this version any more.
  case versionNoLongerAvailable = -2009
  /// The document is not synchronised at all.
  case excludedFromSync = -2010
  /// The domain is switched off.
  case domainDisabled = -2011
  /// The domain cannot be used now.
  case domainTemporarilyUnavailable = -2012
  /// There is no such domain.
  case domainNotFound = -2013
  /// The extension is not there.
  case applicationExtensionNotFound = -2014
  /// The version here contradicts that of the server.
  case localVersionConflictingWithServer = -2015

  /// The domain of all of them.
  public static let domain = "NSFileProviderErrorDomain"

  /// The name, for example `serverUnreachable`.
  public var name: String { "\(self)" }

  /// What the reader can do.
  public var recovery: String {
    switch self {
    case .notAuthenticated: "Sign in to the service that keeps the documents, then try again."
    case .filenameCollision: "Choose another name, or move the document of that name away."
    case .syncAnchorExpired: "List the folder again from its beginning."
    case .insufficientQuota: "Free some space at the service that keeps the documents, then try again."
    case .serverUnreachable: "Check that the server runs and that its address is right, then try again."
    case .noSuchItem: "List the folder again: the document is not there any more."
    case .deletionRejected: "The service keeps the document; ask its owner."
    case .directoryNotEmpty: "Delete what is in the folder first."
    case .providerNotFound, .applicationExtensionNotFound:
      "Use an app with a file provider that is installed and enabled."
    case .providerTranslocated: "Move the app to the folder where it is installed."
    case .olderExtensionVersionRunning, .newerExtensionVersionFound: "Restart the extension."
    case .unsyncedEdits, .localVersionConflictingWithServer:
      "Keep a copy of your changes, then fetch the document again."
    case .nonEvictable, .nonEvictableChildren: "The document stays on this machine."
    case .versionNoLongerAvailable: "Use the current version of the document."
    case .excludedFromSync: "The document is kept on this machine only."
    case .cannotSynchronize, .domainDisabled, .domainTemporarilyUnavailable, .domainNotFound:
      "Check the provider's account and settings, then try again."
    }
  }
}

extension ExtensionError {
  /// An error of `NSFileProviderErrorDomain`, as a file provider throws it and a reader catches it.
  public static func fileProvider(_ code: FileProviderErrorCode, _ message: String) -> ExtensionError {
    ExtensionError(
      .framework, message, recovery: code.recovery,
      details: [
        "domain": .string(FileProviderErrorCode.domain), "code": .integer(Int64(code.rawValue)),
        "name": .string(code.name), "localizedDescription": .string(message),
      ])
  }

  /// The code, when the error is of `NSFileProviderErrorDomain` and the code is known.
  public var fileProviderCode: FileProviderErrorCode? {
    guard code == .framework, details["domain"] == .string(FileProviderErrorCode.domain),
      case .integer(let number)? = details["code"]
    else { return nil }
    return FileProviderErrorCode(rawValue: Int(number))
  }
}
