/// Why a task failed, in the terms of `NSURLErrorDomain`.
package struct TransferFailure: Error, Sendable, Equatable, Codable {
  /// The codes of `NSURLErrorDomain` that are used.
  package enum Code: Int, Sendable, CaseIterable {
    case cancelled = -999
    case badURL = -1000
    case timedOut = -1001
    case unsupportedURL = -1002
    case cannotFindHost = -1003
    case cannotConnectToHost = -1004
    case networkConnectionLost = -1005
    case tooManyRedirects = -1007
    case redirectToNonExistentLocation = -1010
    case badServerResponse = -1011
    case requiresSecureConnection = -1022
    case fileDoesNotExist = -1100
    case dataLengthExceedsMaximum = -1103
    case secureConnectionFailed = -1200
    case cannotCreateFile = -3000
    case cannotOpenFile = -3001
    case cannotWriteToFile = -3003
    case cannotMoveFile = -3005
  }

  package static let urlDomain = "NSURLErrorDomain"

  package let domain: String
  package let code: Int
  /// One sentence: what happened.
  package let description: String
  /// What the reader can do.
  package let recovery: String

  package init(domain: String = urlDomain, code: Int, _ description: String, recovery: String) {
    (self.domain, self.code, self.description, self.recovery) = (domain, code, description, recovery)
  }

  package init(_ code: Code, _ description: String, recovery: String) {
    self.init(code: code.rawValue, description, recovery: recovery)
  }
}
