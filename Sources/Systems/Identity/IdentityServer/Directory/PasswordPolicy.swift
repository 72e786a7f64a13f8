/// The rules for new passwords.
package struct PasswordPolicy: Sendable {
  /// The fewest characters that a password may have.
  package var shortest = 8
  /// The most characters that a password may have.
  package var longest = 256
  /// The number of character kinds that a password has to contain, of lower case, upper case, digits and others.
  package var kinds = 3
  /// Words that no password may have in it, in lower case.
  package var banned = ["password", "passwort", "12345678", "qwertyui"]
  /// The number of previous passwords that a user may not choose again, including the current one.
  package var remembered = 3

  /// Creates the default policy.
  package init() {}

  /// A broken rule, by the name of the native authentication API.
  enum Fault: String {
    case tooWeak = "password_too_weak"
    case tooShort = "password_too_short"
    case tooLong = "password_too_long"
    case recentlyUsed = "password_recently_used"
    case banned = "password_banned"
    case isInvalid = "password_is_invalid"

    var sentence: String {
      switch self {
      case .tooWeak: "The password does not have enough kinds of characters."
      case .tooShort: "The password is too short."
      case .tooLong: "The password is too long."
      case .recentlyUsed: "The password was used recently."
      case .banned: "The password has a word in it that is guessed first."
      case .isInvalid: "The password has characters that no keyboard makes."
      }
    }
  }

  /// Returns the rule that a password breaks, or nil. The comparison with earlier passwords is left to the caller,
  /// because it costs a hash each.
  func fault(of password: String) -> Fault? {
    if password.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) { return .isInvalid }
    if password.count < shortest { return .tooShort }
    if password.count > longest || password.utf8.count > 1_024 { return .tooLong }
    let folded = password.lowercased()
    if banned.contains(where: { folded.contains($0) }) { return .banned }
    let others = password.contains { !$0.isLowercase && !$0.isUppercase && !$0.isNumber }
    let found = [
      password.contains { $0.isLowercase }, password.contains { $0.isUppercase }, password.contains { $0.isNumber },
      others,
    ]
    return found.count { $0 } < kinds ? .tooWeak : nil
  }
}
