package import Conformance
import Contracts
package import ExtensionHosting
package import ExtensionProtocol
import HostServices
import JSON

/// File providers.
package enum FileProviderConformance: ConformanceFeature {
  /// The extension point of file providers.
  package static let points: [ExtensionPoint] = [.fileProvider]
  /// `true`: a provider keeps its documents in a folder of the app group.
  package static let needsAppGroup = true

  /// A program without a manifest keeps its documents in the group that it was given to be tried with.
  package static func prepare(_ environment: HostEnvironment, for identity: Caller.Identity) {
    let registry = environment.registry
    let spare = registry.entries.contains { $0.identifier == identity.id } ? nil : identity.groups.first
    guard let spare else { return }
    environment.use(
      FileProviderService(state: environment.state) { app in
        let named = registry.extensions(of: app).compactMap { $0.manifest?.fileProviderDocumentGroup }.first
        return FileProviderService.App(group: named ?? spare, providerIdentifier: app)
      })
  }

  /// The checks of a file provider, in the order in which they run.
  package static let checks = [
    ConformanceCheck(
      "provider-identifiers", "A path has one identifier, always the same, and it leads back to the path.",
      advice: "Answer provider/identifierForItem and provider/itemForIdentifier by a rule, not from memory.",
      points: [.fileProvider]
    ) { context in
      let (first, second) = (try await context.identifier(), try await context.identifier())
      guard first == second else {
        throw CheckFailure("It had the identifier \(first ?? "null") for a path, and later \(second ?? "null").")
      }
      return first == nil ? "it has no document at such a path" : nil
    },
    ConformanceCheck(
      "provider-paths", "A path that leads out of the document storage is refused.",
      advice: "Refuse absolute paths and those with \"..\" with -32602, before anything else.", points: [.fileProvider]
    ) { context in
      for path in ["../conformance.txt", "/conformance.txt", "folder/../../conformance.txt"] {
        try await context.withProvider { provider, storage in
          do throws(ExtensionError) {
            let start = FileProvider.StartProviding(path: path, documentStorage: storage.reference)
            _ = try await provider.call(start, deadline: context.timeout)
          } catch {
            if error.code == .peerExited || error.code == .deadlineExceeded { throw error }
            return
          }
          throw CheckFailure("It took “\(path)” for the path of a document.")
        }
      }
      return nil
    },
    ConformanceCheck(
      "provider-placeholder", "provider/providePlaceholder is answered when there is a placeholder, or with an error.",
      advice: "Call provider/writePlaceholder and wait for its answer; errors are those of NSFileProviderErrorDomain.",
      points: [.fileProvider]
    ) { context in
      try await context.excusing(FileProvider.ProvidePlaceholder.method) {
        try await context.withProvider { provider, storage in
          let path = "conformance-placeholder.txt"
          _ = try await provider.call(
            FileProvider.ProvidePlaceholder(path: path, documentStorage: storage.reference), deadline: context.timeout)
          guard storage.hasPlaceholder(of: path) else {
            throw CheckFailure("It answered provider/providePlaceholder, and there is no placeholder.")
          }
        }
      }
    },
    ConformanceCheck(
      "provider-content", "provider/startProviding is answered when the content is there, or with an error.",
      advice: "Write the content beside its place, move it there, then answer; the reader gets your error.",
      points: [.fileProvider]
    ) { context in
      try await context.excusing(FileProvider.StartProviding.method) {
        try await context.withProvider { provider, storage in
          let path = "conformance-content.txt"
          _ = try await provider.call(
            FileProvider.StartProviding(path: path, documentStorage: storage.reference), deadline: context.timeout)
          guard case .content = try storage.presence(of: path) else {
            throw CheckFailure("It answered provider/startProviding, and there is no content at the path.")
          }
        }
      }
    },
    ConformanceCheck(
      "provider-change", "provider/itemChanged is answered, whatever was asked before.",
      advice: "Answer {} when the change is kept, or the error that the writer should see.", points: [.fileProvider]
    ) { context in
      try await context.excusing(FileProvider.ItemChanged.method) {
        try await context.withProvider { provider, storage in
          let path = "conformance-change.txt"
          try storage.write(CheckContext.content, to: path)
          let change = FileProvider.ItemChanged(
            path: path, purposeIdentifier: "org.annex.conformance", documentStorage: storage.reference)
          _ = try await provider.call(change, deadline: context.timeout)
        }
      }
    },
    ConformanceCheck(
      "provider-stop", "provider/stopProviding is answered, whatever was asked before, and the placeholder stays.",
      advice: "Delete the content, if you like, and never the placeholder; then answer {}.", points: [.fileProvider]
    ) { context in
      try await context.excusing(FileProvider.StopProviding.method) {
        try await context.withProvider { provider, storage in
          let path = "conformance-stop.txt"
          let size = Int64(CheckContext.content.count)
          _ = try storage.writePlaceholder(of: path, FileProvider.Metadata(name: path, size: size))
          try storage.write(CheckContext.content, to: path)
          _ = try await provider.call(
            FileProvider.StopProviding(path: path, documentStorage: storage.reference), deadline: context.timeout)
          guard storage.hasPlaceholder(of: path) else {
            throw CheckFailure("It answered provider/stopProviding, and the placeholder is gone.")
          }
        }
      }
    },
  ]
}

extension CheckContext {
  var documents: FileProviderService { host.service() }

  static let content = Array(text.utf8)

  /// A file provider at work, and where the documents of its app lie.
  fileprivate func withProvider<Result: Sendable>(
    _ body: (ExtensionProcess, DocumentStorage) async throws -> Result
  ) async throws -> Result {
    guard let storage = try? documents.storage(of: target.identity) else {
      throw CheckSkipped("The manifests name no app group for its documents.")
    }
    return try await withExtension { process in
      try await documents.withDocuments(of: target.identity, provider: process) { _ in
        try await body(process, storage)
      }
    }
  }

  /// Returns the identifier that a new process of the provider has for a path, after the reverse lookup was checked.
  fileprivate func identifier() async throws -> String? {
    try await withProvider { provider, storage in
      let asked = "conformance.txt"
      let identifier = try await provider.call(
        FileProvider.IdentifierForItem(path: asked, documentStorage: storage.reference), deadline: timeout
      ).identifier
      guard let identifier else { return nil }
      let path = try await provider.call(
        FileProvider.ItemForIdentifier(identifier: identifier, documentStorage: storage.reference), deadline: timeout
      ).path
      guard path == asked else {
        throw CheckFailure("“\(asked)” has the identifier “\(identifier)”, and that leads to “\(path ?? "nothing")”.")
      }
      return identifier
    }
  }
}
