internal import CLinux
internal import Files
internal import Glibc
package import JSON
internal import Synchronization

/// The one-time codes that the server has sent, in memory and, if the settings name one, in a file. No mail is sent.
package final class CodeOutbox: Sendable {
  /// A message with a code.
  package struct Message: Sendable, Equatable {
    /// The address of mail or the number it is for.
    package let recipient: String
    /// The channel: `email` or `sms`.
    package let channel: String
    /// The one-time code.
    package let code: String
    /// `signIn`, `signUp`, `resetPassword`, `mfa` or `register`.
    package let purpose: String
    /// The time at which the message was sent, in seconds since 1970.
    package let sentAt: Int64

    /// The message as a JSON object, as the outbox file contains it.
    package var value: JSONValue {
      [
        "to": .string(recipient), "channel": .string(channel), "code": .string(code), "purpose": .string(purpose),
        "sentAt": .integer(sentAt),
      ]
    }
  }

  /// The most messages in memory.
  private static let limit = 200
  /// The largest file, in bytes. Later messages stay in memory only.
  private static let fileLimit = 4 << 20

  private let kept = Mutex<[Message]>([])
  private let descriptor: Int32?

  init(file: String?) throws(IdentityServerError) {
    guard let file else {
      descriptor = nil
      return
    }
    let opened = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0o600)
    guard opened >= 0 else {
      throw IdentityServerError(
        "The outbox \(file) cannot be opened: \(SystemError.last).", recovery: "Name a file in a folder of your own.")
    }
    // The file may be there, and open to others.
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG, fchmod(opened, 0o600) == 0 else {
      close(opened)
      throw IdentityServerError("The outbox \(file) is not a file of this user.", recovery: "Name another file.")
    }
    descriptor = opened
  }

  deinit { if let descriptor { close(descriptor) } }

  func add(_ message: Message) {
    kept.withLock { kept in
      if kept.count >= Self.limit { kept.removeFirst() }
      kept.append(message)
      guard let descriptor else { return }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_size < Self.fileLimit else { return }
      let line = Array("\(message.value)\n".utf8)
      _ = clinux_write_all(descriptor, line, line.count)
    }
  }

  /// The messages in the order in which they were sent.
  package var messages: [Message] { kept.withLock { $0 } }

  /// Returns the newest code for a recipient; nil when none was sent.
  package func code(for recipient: String) -> String? {
    messages.last { $0.recipient.lowercased() == recipient.lowercased() }?.code
  }
}
