import Testing

@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct `The limits of pictures` {
  @Test func `are the bytes of a file`() throws {
    let file = try PNGCodec.encode(TestPicture.six)
    let error = #expect(throws: ImageError.self) {
      try ImageRendering.render(file, as: ImageTransform(), limits: ImageLimits(bytes: file.count - 1))
    }
    #expect(error?.message == "The picture has \(file.count) bytes, and \(file.count - 1) are allowed.")
    _ = try ImageRendering.render(file, as: ImageTransform(), limits: ImageLimits(bytes: file.count))
  }

  @Test func `are its pixels, before any is read`() throws {
    let file = try PNGCodec.encode(TestPicture.six)
    _ = try ImageRendering.render(file, as: ImageTransform(), limits: ImageLimits(pixels: 6))
    #expect(throws: ImageError.self) {
      try ImageRendering.render(file, as: ImageTransform(), limits: ImageLimits(pixels: 5))
    }
    var huge = file
    for index in 16..<24 { huge[index] = 0x7F }
    let error = #expect(throws: ImageError.self) { try ImageRendering.render(huge, as: ImageTransform(width: 1)) }
    #expect(error?.message.contains("2139062143 x 2139062143 pixels") == true)
    for index in 16..<24 { huge[index] = 0 }
    #expect(throws: ImageError.self) { try ImageRendering.render(huge, as: ImageTransform(width: 1)) }
  }

  @Test func `are the pixels that are asked for`() throws {
    let file = try PNGCodec.encode(TestPicture.six)
    let size = ImageTransform.Size(width: 10, height: 10)
    _ = try ImageRendering.render(file, as: ImageTransform(size: size), limits: ImageLimits(renditionPixels: 100))
    #expect(throws: ImageError.self) {
      try ImageRendering.render(file, as: ImageTransform(size: size), limits: ImageLimits(renditionPixels: 99))
    }
  }

  @Test(arguments: [
    ImageTransform(quality: 0), ImageTransform(quality: 101), ImageTransform(quality: .min), ImageTransform(width: 0),
    ImageTransform(width: -1), ImageTransform(size: .init(width: 0, height: 1)),
    ImageTransform(size: .init(width: .max, height: .max)), ImageTransform(size: .init(width: 1, height: -1)),
    ImageTransform(crop: .init(xOrigin: -1, yOrigin: 0, width: 1, height: 1)),
    ImageTransform(crop: .init(xOrigin: 0, yOrigin: 0, width: 0, height: 1)),
    ImageTransform(crop: .init(xOrigin: 3, yOrigin: 0, width: 1, height: 1)),
    ImageTransform(crop: .init(xOrigin: .max, yOrigin: .max, width: .max, height: .max)),
    ImageTransform(size: .init(width: 1_000_000, height: 1_000_000)),
  ])
  func `are those of every number`(transform: ImageTransform) throws {
    let file = try PNGCodec.encode(TestPicture.six)
    #expect(throws: ImageError.self) { try ImageRendering.render(file, as: transform) }
  }
}
