/// The kinds of attachment that a dictionary rule distinguishes.
package enum AttachmentClass: String, Sendable, Hashable, CaseIterable {
  case image
  case movie
  case webPage = "web page"
  case webURL = "web address"
  case text
  case file
  case other

  /// The first class that holds, in the order of the cases.
  ///
  /// - Parameter strict: whether only the first registered type counts, the one of highest fidelity.
  init(_ attachment: ActivationAttachment, strict: Bool, _ graph: TypeGraph) {
    let types = strict ? Array(attachment.registeredTypeIdentifiers.prefix(1)) : attachment.registeredTypeIdentifiers
    self = Self.allCases.first { $0.holds(for: attachment, types, graph) } ?? .other
  }

  private func holds(for attachment: ActivationAttachment, _ types: [String], _ graph: TypeGraph) -> Bool {
    func any(_ type: String) -> Bool { types.contains { graph.conforms($0, to: type) } }
    switch self {
    case .image: return any("public.image")
    case .movie: return any("public.movie")
    case .webPage: return attachment.isPageResult && any("com.apple.property-list")
    case .webURL:
      let isURL = types.contains { graph.conforms($0, to: "public.url") && !graph.conforms($0, to: "public.file-url") }
      let scheme = attachment.urlScheme?.lowercased()
      return isURL && (scheme == nil || scheme == "http" || scheme == "https")
    case .text: return any("public.text")
    case .file: return any("public.file-url") || (attachment.isFile && any("public.data"))
    case .other: return true
    }
  }
}
