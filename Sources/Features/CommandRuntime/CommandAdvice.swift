import Contracts
package import ExtensionHosting
import ExtensionProtocol
import JSON

/// The engine's errors speak of its API. Here they say which command of this tool does the same.
extension ExtensionError {
  /// The error with the command that helps, where one does.
  var withCommand: ExtensionError {
    // An extension chose the details of a claim, so no command is built from them.
    guard !isClaim, let command = commandAdvice else { return self }
    var error = self
    error.recovery = command
    return error
  }

  /// Advice for an error that an extension answered with, which it may only have passed on from the host. A command
  /// uses only those details that this tool knows.
  var claimAdvice: String? {
    if let advice = text("hostAdvice") { return advice }
    switch code {
    case .permissionDenied:
      guard let id = text("extension"), let kind = text("permission").flatMap(PermissionKind.named) else { break }
      return "Run “host permissions \(id) grant \(kind.name)” to allow it."
    case .handlerFailed:
      guard let id = text("extension") else { break }
      return "“host logs \(id)” shows what it printed."
    case .contentFailed where text("kind") == "unreachable" && details["isLocal"] == .bool(true):
      return "“host serve content” starts a local one."
    default: break
    }
    return code.recovery.map(naming)
  }

  /// Advice with the identifier of the extension in the place of ID, where the host knows which one the error is about.
  private func naming(_ advice: String) -> String {
    text("extension").map { advice.replacing(" ID", with: " \($0)") } ?? advice
  }

  private func text(_ key: String) -> String? {
    if case .string(let text) = details[key] { text } else { nil }
  }

  private var commandAdvice: String? {
    switch code {
    case .quarantined:
      guard let id = text("extension") else { return nil }
      return details["until", default: .null] == .null
        ? "Run \"host why \(id)\" for the reason, correct the extension, then run \"host reset \(id)\"."
        : "Try again in some seconds, or run \"host reset \(id)\"."
    case .permissionDenied: return permissionAdvice
    case .pointDisallows:
      return text("needs").map { "Run \"host list --point \($0)\" to see those that do." }
    case .extensionUnknown where recovery == code.recovery:
      return "Run \"host list\" to see which extensions there are."
    case .sandboxUnavailable, .launchFailed:
      guard code == .sandboxUnavailable || text("sandbox") == "launchFailed" else { return nil }
      return [recovery, "Run \"host doctor\" to see what this machine enforces."].compactMap(\.self)
        .joined(separator: " ")
    case .contentFailed:
      guard text("kind") == "unreachable", details["isLocal"] == .bool(true) else { return nil }
      return [recovery, "“host serve content” starts a local one."].compactMap(\.self).joined(separator: " ")
    case .storeFailed: return stateAdvice
    case .framework: return providerAdvice
    default: return recovery == code.recovery ? recovery.map(naming) : nil
    }
  }

  private var permissionAdvice: String? {
    let isRefused = ["method", "group", "program"].contains { text($0) != nil }
    if let id = text("extension"), let name = text("permission"), isRefused {
      return "Run “host permissions \(id) grant \(name)” to allow it."
    }
    switch (text("state"), text("id")) {
    case (RegistryEntry.State.ignored.name, let id?): return "Run “host elect \(id) default”."
    case (RegistryEntry.State.unapproved(asks: []).name, let id?):
      return "Run “host elect \(id) use” to approve it."
    default: return nil
    }
  }

  private var stateAdvice: String? {
    if details["format"] != nil { return "Update annex, or use another state folder with --home DIR." }
    switch details["stateDirectory"] {
    case .null?: return "Pass --home DIR."
    case .some: return "Move the file away, or pass --home DIR."
    case nil: return nil
    }
  }

  private var providerAdvice: String? {
    guard recovery == FileProviderErrorCode.providerNotFound.recovery else { return nil }
    return "Run \"host list --point provider\" to see the file providers that are there."
  }
}

extension ManifestProblem {
  /// Advice for the author, with a command if one helps.
  package var advisedRecovery: String {
    guard let setting else { return recovery }
    return "“host bundle DIR --set \(setting)=VALUE” makes a bundle with it; or write the text itself."
  }
}

extension RegistryEntry {
  /// The warnings about an entry that can be used, such as unknown keys of this host's own. Only `host verify` shows
  /// the warnings about other keys.
  package var ownWarnings: [ManifestProblem] {
    problems.filter { $0.severity == .warning && ($0.keyPath == "Annex" || $0.keyPath.hasPrefix("Annex.")) }
  }

  /// The reasons the entry cannot be used, each with a command if one helps.
  package var advisedReasons: [String] {
    guard case .unapproved = state else { return reasons }
    return reasons.map { "\($0) “host elect \(identifier) use” approves it." }
  }
}
