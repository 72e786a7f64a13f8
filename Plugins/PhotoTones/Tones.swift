import AppExtensions

/// What this editor does to a photo, and how it writes that down.
struct Tones: Equatable {
  enum Tone: String, CaseIterable { case sepia, mono, none }

  var tone = Tone.sepia
  /// -100 to 100.
  var brightness = 0

  init() {}

  mutating func set(_ name: String, to value: String) throws {
    switch name {
    case "tone":
      guard let tone = Tone(rawValue: value) else {
        throw refusal("“\(value)” is not a tone.", "The tones are sepia, mono and none.")
      }
      self.tone = tone
    case "brightness":
      guard let brightness = Int(value), -100...100 ~= brightness else {
        throw refusal("“\(value)” is not a brightness.", "Give a whole number from -100 to 100.")
      }
      self.brightness = brightness
    default: throw refusal("There is no option “\(name)”.", "The options are tone and brightness.")
    }
  }

  private func refusal(_ message: String, _ recovery: String) -> ExtensionError {
    ExtensionError(.invalidParams, message, recovery: recovery)
  }

  func apply(to image: inout Bitmap) {
    let shift = brightness * 255 / 200
    image.change { red, green, blue in
      let grey = (Int(red) * 77 + Int(green) * 150 + Int(blue) * 29) >> 8
      let toned: (Int, Int, Int) =
        switch tone {
        case .sepia: (grey + 40, grey + 15, grey - 25)
        case .mono: (grey, grey, grey)
        case .none: (Int(red), Int(green), Int(blue))
        }
      red = Self.clamped(toned.0 + shift)
      green = Self.clamped(toned.1 + shift)
      blue = Self.clamped(toned.2 + shift)
    }
  }

  private static func clamped(_ value: Int) -> UInt8 { UInt8(max(0, min(255, value))) }
}

extension Tones {
  private static let format = "com.example.adventures.tones"

  /// `tone=sepia;brightness=10`
  var adjustmentData: AdjustmentData {
    AdjustmentData(
      formatIdentifier: Self.format, formatVersion: "1",
      bytes: Array("tone=\(tone.rawValue);brightness=\(brightness)".utf8))
  }

  /// - Returns: `nil` for data of another editor, or of another version of this one.
  init?(_ data: AdjustmentData) {
    guard data.formatIdentifier == Self.format, data.formatVersion == "1", let bytes = data.bytes,
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    self.init()
    do {
      for field in text.split(separator: ";") {
        let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
        try set(parts[0], to: parts.count == 2 ? parts[1] : "")
      }
    } catch { return nil }
  }
}
