public import ExtensionProtocol

/// The settings that a compose sheet offers besides the text.
extension Share {
  /// One line of the compose sheet (`SLComposeSheetConfigurationItem`).
  public struct ConfigurationItem: Codable, Sendable, Equatable {
    /// Names the item in ``SelectConfigurationItem``; unique in a sheet.
    public var id: String
    /// The label of the setting.
    public var title: String
    /// The chosen value; `nil` before the user chooses.
    public var value: String?
    /// The value is still being found out.
    public var valuePending: Bool
    /// The possible values; `nil` permits any text.
    public var choices: [String]?

    /// Creates an item; without choices the user may type anything.
    public init(
      id: String, title: String, value: String? = nil, valuePending: Bool = false, choices: [String]? = nil
    ) {
      self.id = id
      self.title = title
      self.value = value
      self.valuePending = valuePending
      self.choices = choices
    }

    /// Decodes an item; `valuePending` is `false` when it is missing.
    public init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      self.init(
        id: try container.decode(String.self, forKey: .id), title: try container.decode(String.self, forKey: .title),
        value: try container.decodeIfPresent(String.self, forKey: .value),
        valuePending: try container.decodeIfPresent(Bool.self, forKey: .valuePending) ?? false,
        choices: try container.decodeIfPresent([String].self, forKey: .choices))
    }
  }

  /// The items of a sheet, in their order.
  public struct Configuration: Codable, Sendable, Equatable {
    /// In the order in which they are shown.
    public var items: [ConfigurationItem]
    /// Creates a configuration; an extension with nothing to set has none.
    public init(items: [ConfigurationItem]) { self.items = items }
  }

  /// `share/configurationItems`, host to extension: what can be set?
  public struct ConfigurationItems: RemoteMethod {
    /// The items as they are when the sheet is shown.
    public typealias Result = Configuration
    /// The wire name; the host calls it. An extension that does not serve it has nothing to set.
    public static let method = "share/configurationItems"
    /// The request of the sheet.
    public var requestID: String
    /// Asks what can be set in the sheet of a request.
    public init(requestID: String) { self.requestID = requestID }
  }

  /// `share/selectConfigurationItem`, host to extension: the user chose an item, and then a value. Without a value the
  /// item is about to be chosen from: the answer may bring its choices.
  public struct SelectConfigurationItem: RemoteMethod {
    /// The items after the choice.
    public typealias Result = Configuration
    /// The wire name; the host calls it.
    public static let method = "share/selectConfigurationItem"
    /// The request of the sheet.
    public var requestID: String
    /// ``ConfigurationItem/id`` of the item.
    public var id: String
    /// `nil` before the user has chosen a value.
    public var value: String?

    /// Creates the params; without a value the item is about to be chosen from.
    public init(requestID: String, id: String, value: String? = nil) {
      self.requestID = requestID
      self.id = id
      self.value = value
    }
  }
}

extension Share.ConfigurationItem {
  /// - Throws: `invalidParams` when the value is none of the choices.
  public func check(_ value: String) throws(ExtensionError) {
    guard let choices, !choices.contains(value) else { return }
    throw ExtensionError(
      .invalidParams, "“\(value)” is not a choice for \(title).",
      recovery: "Choose one of: \(choices.joined(separator: ", ")).")
  }
}
