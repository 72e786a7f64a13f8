extension AuthError {
  /// The sorts of failure that a caller treats differently.
  package enum Kind: String, Sendable, CaseIterable {
    // What the caller asks.

    /// No scope is named.
    case emptyScopes
    /// The scopes belong to more than one resource.
    case severalResources
    /// A scope is no scope, or the server does not know it.
    case invalidScope
    /// The server granted less than was asked for.
    case insufficientScopes
    /// The server granted more than the caller may use.
    case excessiveScopes
    /// The server rejects the form of the request.
    case invalidRequest
    /// The flow does not wait for this.
    case wrongState
    /// The configuration names no server, client or kind that could be used.
    case invalidConfiguration

    // Sign-in

    case userNotFound
    /// The user name is none.
    case invalidUsername
    /// The user name or the password is wrong.
    case invalidCredentials
    /// The account signs in without a password.
    case noPassword
    /// The password has to be reset first.
    case passwordResetRequired
    /// The account is locked, or may not sign in.
    case accountBlocked
    case userAlreadyExists
    /// The new password is not one that the server takes.
    case weakPassword
    /// Attributes of the account are missing or are not accepted.
    case invalidAttributes
    /// The one-time code was tried too often or is too old: only another one can be right.
    case deadCode
    /// The address or number of a second factor is none that a code can be sent to.
    case invalidContact
    /// The one-time code is wrong.
    case invalidCode
    /// The continuation token has expired or was used before.
    case flowExpired
    /// The user, or the server for its own reasons, refused.
    case accessDenied
    /// Only a browser can continue the sign-in.
    case browserRequired

    // What an account has.

    /// No account of this name is signed in.
    case noAccount
    /// The user has to sign in again.
    case interactionRequired
    /// The user or an administrator has to agree.
    case consentRequired

    // Server

    /// The client may not do this at this server.
    case clientNotAllowed
    /// The server does not know the way of signing in.
    case notSupported
    /// No server answers at the configured address.
    case unreachable
    /// The certificate of the server is not accepted.
    case untrusted
    case timedOut
    /// The server received too many requests: status 429.
    case rateLimited
    /// The server failed with a status from 500 to 599.
    case serverUnavailable
    /// The answer does not conform to the protocol.
    case invalidAnswer
    /// The answer is larger than allowed.
    case tooLarge

    // This machine

    /// The file of the tokens, or its key, cannot be used.
    case cacheUnusable
    /// Another process has the lock for too long.
    case busy
    case cancelled
  }
}

extension AuthError.Kind {
  /// The advice where the server speaks OpenID Connect, for the kinds whose usual advice is about native authentication.
  var openIDRecovery: String? {
    switch self {
    case .clientNotAllowed: "Check the client and its secret, and what the server allows this client."
    case .notSupported: "Sign in with --browser or --device-code, or have the server allow this way for the client."
    default: nil
    }
  }

  /// The advice for an error without its own.
  package var recovery: String {
    switch self {
    case .emptyScopes: "Name at least one scope."
    case .severalResources: "Ask for one token for each resource."
    case .invalidScope: "Check the spelling of the scope, and that the server knows it."
    case .insufficientScopes: "Have the missing scopes granted to the application, or ask for those that are."
    case .excessiveScopes: "Use only what the scopes allow, or have the server grant each scope for itself."
    case .invalidRequest: "Check the client and the values that were given."
    case .wrongState: "Give what the state of the flow asks for."
    case .invalidConfiguration: "Correct the configuration of the identity."
    case .userNotFound: "Check the user name, or sign up."
    case .invalidUsername: "Write the user name as an address of electronic mail."
    case .invalidCredentials: "Check the user name and the password."
    case .noPassword: "Sign in with a one-time code."
    case .passwordResetRequired: "Reset the password, then sign in."
    case .accountBlocked: "Wait, then try again, or ask the administrator of the account."
    case .userAlreadyExists: "Sign in with this user name, or choose another one."
    case .weakPassword: "Choose a longer password of different kinds of characters, which was not used before."
    case .invalidAttributes: "Correct the attributes that are named."
    case .deadCode: "Ask for another code."
    case .invalidContact: "Write the whole address or number."
    case .invalidCode: "Check the code, or ask for another one."
    case .flowExpired: "Begin again."
    case .accessDenied: "Try again and agree, or ask the administrator of the account."
    case .browserRequired: "Sign in with a browser."
    case .noAccount: "Sign in first."
    case .interactionRequired: "Sign in again."
    case .consentRequired: "Sign in again and agree, or have an administrator agree for the application."
    case .clientNotAllowed: "Check the client, and that native authentication is switched on for it at the server."
    case .notSupported: "Sign in in another way, or have the server allow this one."
    case .unreachable: "Check the address of the server and the network connection."
    case .untrusted: "Check the certificate of the server and the clock of this machine."
    case .timedOut, .serverUnavailable: "Try again later."
    case .rateLimited: "Wait, then try again."
    case .invalidAnswer: "Check that the address is that of an identity server of the kind that is configured."
    case .tooLarge: "Check that the address is that of an identity server."
    case .cacheUnusable: "Correct the file or its key, or move it away and sign in again."
    case .busy: "Try again, or end the program that holds the lock."
    case .cancelled: "Run it again."
    }
  }
}
