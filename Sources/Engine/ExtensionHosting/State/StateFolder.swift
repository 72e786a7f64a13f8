package import ExtensionProtocol
import Files

/// A folder of the state directory with one ``StateFile`` for each extension, by its identifier. All of them have one lock.
package struct StateFolder<Content: StateContent>: Sendable {
  private let state: StateDirectory
  private let folder: String
  private let name: String
  private let consequence: String
  private let isDurable: Bool
  private let log: any LogSink

  /// Creates a folder of files, one for each extension.
  ///
  /// - Parameters:
  ///   - folder: its path relative to the state directory.
  ///   - name: the name of a file in messages, with a capital letter.
  ///   - consequence: what follows from a file that cannot be used, in one sentence for the log.
  ///   - isDurable: whether a change survives a crash of the machine, which takes a wait for the disk.
  ///   - log: receives a warning for each file that cannot be read.
  package init(
    _ folder: String, in state: StateDirectory, name: String, consequence: String = "It begins anew.",
    isDurable: Bool = false, log: any LogSink = NoLog()
  ) {
    self.state = state
    self.folder = folder
    self.name = name
    self.consequence = consequence
    self.isDurable = isDurable
    self.log = log
  }

  private var path: String { "\(state.path)/\(folder)" }

  /// The file of an extension; `nil` for an identifier that cannot be the name of a file.
  package func file(of id: String) -> StateFile<Content>? {
    guard (1...200).contains(id.utf8.count), !id.hasPrefix("."), !id.utf8.contains(where: { $0 == 0x2F || $0 == 0 })
    else { return nil }
    return StateFile(
      path: "\(path)/\(id).json", name: name, lockPath: "\(path)/.lock", consequence: consequence, isDurable: isDurable,
      log: log)
  }

  /// The file of an extension.
  ///
  /// - Throws: `storeFailed` for an identifier that cannot be the name of a file.
  private func requiredFile(of id: String) throws(ExtensionError) -> StateFile<Content> {
    if let file = file(of: id) { return file }
    throw ExtensionError(.storeFailed, "“\(id)” cannot be the name of a file.", recovery: "Use another identifier.")
  }

  /// The identifiers that have a file.
  package var identifiers: [String] {
    Folder.names(in: path, endingIn: ".json").map { String($0.dropLast(5)) }.sorted()
  }

  /// Returns the contents of the file of an extension; `nil` when there is none or it cannot be used, which is
  /// reported.
  package func read(_ id: String) -> Content? { file(of: id)?.read() }

  /// Changes the file of an extension; see ``StateFile/change(or:_:)``.
  ///
  /// - Throws: `storeFailed`; then nothing has changed.
  @discardableResult
  package func change<Result>(
    _ id: String, or empty: Content, _ body: (inout Content) throws(ExtensionError) -> Result
  ) async throws(ExtensionError) -> Result {
    try await requiredFile(of: id).change(or: empty, body)
  }

  /// Replaces the file of an extension; see ``StateFile/replace(with:)``.
  ///
  /// - Throws: `storeFailed`; the file is then as it was.
  package func replace(_ id: String, with content: Content) async throws(ExtensionError) {
    try await requiredFile(of: id).replace(with: content)
  }

  /// Removes the file of an extension, when there is one.
  package func remove(_ id: String) {
    if let file = file(of: id) { File.remove(file.path) }
  }
}
