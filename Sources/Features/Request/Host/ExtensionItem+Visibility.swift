import Contracts

/// The attachments that one side shows to the other (`NSItemProviderRepresentationVisibility`).
extension ItemProvider {
  /// Whether the attachment shows itself to a program of another app. A team has no meaning here, so `team` is as narrow as
  /// `group`: one and the same containing app.
  ///
  /// - Parameters:
  ///   - owner: the bundle identifier of the app whose attachment it is; `nil` when it is not known.
  ///   - viewer: that of the app to which it would be shown.
  func isVisible(from owner: String?, to viewer: String?) -> Bool {
    switch visibility ?? .all {
    case .all: true
    case .team, .group: owner != nil && owner == viewer
    case .ownProcess: false
    }
  }
}

extension [ExtensionItem] {
  /// Returns the items without attachments that are not visible to the other side.
  ///
  /// - Parameter dropped: called with each omitted attachment.
  func visible(
    from owner: String?, to viewer: String?, dropped: (ItemProvider) -> Void = { _ in }
  ) -> [ExtensionItem] {
    map { item in
      var item = item
      item.attachments.removeAll { attachment in
        let isVisible = attachment.isVisible(from: owner, to: viewer)
        if !isVisible { dropped(attachment) }
        return !isVisible
      }
      return item
    }
  }
}
