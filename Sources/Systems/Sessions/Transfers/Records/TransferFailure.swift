/// The reason a task failed, as a domain and a code of Foundation.
package struct TransferFailure: Error, Sendable, Equatable, Codable {
  /// The codes of `NSURLErrorDomain` that tasks use.
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

  /// The domain of ``Code``.
  package static let urlDomain = "NSURLErrorDomain"

  /// The domain that gives the code its meaning; ``urlDomain`` by default.
  package let domain: String
  /// The code within the domain.
  package let code: Int
  /// What happened, as one sentence.
  package let description: String
  /// What the reader can do about it.
  package let recovery: String

  /// Creates a failure with any domain and code.
  package init(domain: String = urlDomain, code: Int, _ description: String, recovery: String) {
    (self.domain, self.code, self.description, self.recovery) = (domain, code, description, recovery)
  }

  /// Creates a failure of `NSURLErrorDomain`.
  package init(_ code: Code, _ description: String, recovery: String) {
    self.init(code: code.rawValue, description, recovery: recovery)
  }
}
