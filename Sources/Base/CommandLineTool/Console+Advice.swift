/// Commands that are advised work when they are pasted: they get the options that say where this one looked, and the name
/// that the tool was called by.
extension Console {
  /// The text with ``advisedOptions`` at the end of every command of the tool that it quotes: “host list” or "host list".
  package func completed(_ advice: String) -> String {
    toolName?.applied(to: advice, options: advisedOptions) ?? advice
  }
}

/// The text as one word of a POSIX shell, between quotes where it needs them.
package func shellWord(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { byte in
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || [0x2D, 0x2E, 0x2F, 0x3A, 0x3D, 0x40, 0x5F].contains(byte)
  }
  return isPlain && !text.isEmpty ? text : shellQuoted(text)
}
