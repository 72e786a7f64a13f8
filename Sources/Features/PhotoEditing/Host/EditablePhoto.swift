public import Contracts

/// A photo that is to be edited.
public struct EditablePhoto: Sendable {
  /// How it looks now, earlier edits included.
  public var current: [UInt8]
  /// The untouched photo, when it was edited before.
  public var original: [UInt8]?
  /// What the last edit left.
  public var adjustmentData: AdjustmentData?
  /// In seconds since 1970.
  public var creationDate: Double?

  /// Makes a photo to edit.
  ///
  /// - Parameters:
  ///   - current: how it looks now, earlier edits included.
  ///   - original: needed with `adjustmentData`; `nil` for a photo that was never edited.
  ///   - adjustmentData: what the last edit left; `nil` for a photo that was never edited.
  ///   - creationDate: seconds since 1970.
  public init(
    current: [UInt8], original: [UInt8]? = nil, adjustmentData: AdjustmentData? = nil, creationDate: Double? = nil
  ) {
    self.current = current
    self.original = original
    self.adjustmentData = adjustmentData
    self.creationDate = creationDate
  }
}

/// What an edit came to, checked and not saved yet.
public struct EditedPhoto: Sendable, Equatable {
  /// The photo itself, upright (EXIF orientation 1).
  public var bytes: [UInt8]
  /// A uniform type identifier.
  public var type: String
  /// What is needed to take the edit up again.
  public var adjustmentData: AdjustmentData

  /// Makes the result of an edit.
  public init(bytes: [UInt8], type: String, adjustmentData: AdjustmentData) {
    self.bytes = bytes
    self.type = type
    self.adjustmentData = adjustmentData
  }
}
