extension MultiLineText {
  /// The address of a link, or the object of a reference: the `data` of a node.
  package struct Target: Sendable, Equatable {
    /// The address of a link, or the path of a content fragment.
    package var href: String?
    /// The path or address of a picture.
    package var path: String?
    /// `fragment` for a content fragment; absent for other links.
    package var type: String?
    /// The media type of a picture, by the ending of its name.
    package var mimetype: String?
    /// The text in place of a picture.
    package var alternative: String?

    /// Creates a target from the members that its node uses.
    package init(
      href: String? = nil, path: String? = nil, type: String? = nil, mimetype: String? = nil, alternative: String? = nil
    ) {
      self.href = href
      self.path = path
      self.type = type
      self.mimetype = mimetype
      self.alternative = alternative
    }

    /// The one address that there is.
    package var address: String? { href ?? path }
  }
}

extension MultiLineText.Node {
  /// A link, or a reference to the content fragment at this path; `nil` where the address is not a safe one.
  static func link(
    to address: String, text: String, variants: MultiLineText.Variants = []
  ) -> MultiLineText.Node? {
    guard let href = SafeAddress.link(address) else { return nil }
    let isFragment = SafeAddress.isFragmentPath(href)
    return MultiLineText.Node(
      isFragment ? .reference : .link, value: text, variants: variants,
      target: MultiLineText.Target(href: href, type: isFragment ? "fragment" : nil))
  }

  /// A reference to a picture; `nil` where the address is not a safe one.
  static func picture(at address: String, alternative: String, mimetype: String? = nil) -> MultiLineText.Node? {
    guard let path = SafeAddress.picture(address) else { return nil }
    return MultiLineText.Node(
      .reference,
      target: MultiLineText.Target(
        path: path, mimetype: mimetype ?? SafeAddress.mediaType(of: path),
        alternative: alternative.isEmpty ? nil : alternative))
  }
}
