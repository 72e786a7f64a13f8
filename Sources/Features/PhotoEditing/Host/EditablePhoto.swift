public import Contracts

/// A photo that is to be edited.
public struct EditablePhoto: Sendable {
  /// The photo as it looks now, with earlier edits.
  public var current: [UInt8]
  /// The untouched photo, when it was edited before.
  public var original: [UInt8]?
  /// The data of the last edit; `nil` without one.
  public var adjustmentData: AdjustmentData?
  /// In seconds since 1970.
  public var creationDate: Double?

  /// Creates a photo for editing.
  ///
  /// - Parameters:
  ///   - current: the photo as it looks now, with earlier edits.
  ///   - original: the unedited photo, required with `adjustmentData`; `nil` for a photo that was never edited.
  ///   - adjustmentData: the data of the last edit; `nil` for a photo that was never edited.
  ///   - creationDate: the time of the photo, in seconds since 1970.
  public init(
    current: [UInt8], original: [UInt8]? = nil, adjustmentData: AdjustmentData? = nil, creationDate: Double? = nil
  ) {
    self.current = current
    self.original = original
    self.adjustmentData = adjustmentData
    self.creationDate = creationDate
  }
}

/// The result of an edit, checked and not saved yet.
public struct EditedPhoto: Sendable, Equatable {
  /// The photo itself, upright (EXIF orientation 1).
  public var bytes: [UInt8]
  /// A uniform type identifier.
  public var type: String
  /// The data with which the edit can be resumed.
  public var adjustmentData: AdjustmentData

  /// Creates the result of an edit.
  public init(bytes: [UInt8], type: String, adjustmentData: AdjustmentData) {
    self.bytes = bytes
    self.type = type
    self.adjustmentData = adjustmentData
  }
}
