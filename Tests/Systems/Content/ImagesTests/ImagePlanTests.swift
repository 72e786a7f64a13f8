import ImageFile
import Testing

@testable import Images

@Suite(.timeLimit(.minutes(1)))
struct `The plan of a rendition` {
  /// A JPEG file without pixels.
  private static func jpeg(_ width: Int, _ height: Int, orientation: UInt8? = nil) -> [UInt8] {
    func pair(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
    var file: [UInt8] = [0xFF, 0xD8]
    if let orientation {
      let block: [UInt8] = [
        0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
      ]
      let content = Array("Exif\0\0".utf8) + block
      file += [0xFF, 0xE1] + pair(content.count + 2) + content
    }
    return file + [0xFF, 0xC0, 0, 11, 8] + pair(height) + pair(width) + [1, 1, 0x11, 0, 0xFF, 0xDA, 0, 0]
  }

  private static func plan(_ transform: ImageTransform, _ file: [UInt8]) throws -> ImagePlan {
    let limits = ImageLimits()
    return try ImagePlan(transform, of: ImageHeader(of: file, limits: limits), limits: limits)
  }

  private static func message(_ transform: ImageTransform, _ file: [UInt8]? = nil) -> String? {
    let error = #expect(throws: ImageError.self) { try plan(transform, file ?? jpeg(800, 400)) }
    return error?.message
  }

  @Test(
    arguments: [
      (100, 8, 100, 50), (101, 4, 101, 51), (99, 8, 99, 50), (200, 4, 200, 100), (201, 2, 201, 101),
      (400, 2, 400, 200), (401, 1, 401, 201), (800, 1, 800, 400), (801, 1, 800, 400), (1, 8, 1, 1),
    ])
  func `reads as small a picture as is enough`(width: Int, reduction: Int, newWidth: Int, newHeight: Int) throws {
    let plan = try Self.plan(ImageTransform(width: width), Self.jpeg(800, 400))
    #expect(plan.reduction == reduction && plan.unturnedSize == PixelSize(width: newWidth, height: newHeight))
    #expect(plan.turn == .none && plan.format == .JPG)
  }

  @Test func `looks at both sides`() throws {
    func reduction(_ width: Int, _ height: Int, _ crop: ImageTransform.Crop? = nil) throws -> Int {
      try Self.plan(ImageTransform(crop: crop, size: .init(width: width, height: height)), Self.jpeg(800, 400))
        .reduction
    }
    #expect(try reduction(100, 50) == 8 && reduction(100, 51) == 4 && reduction(101, 50) == 4)
    #expect(try reduction(200, 101) == 2 && reduction(1, 400) == 1 && reduction(800, 1) == 1)
    // What is cropped is what is read.
    let crop = ImageTransform.Crop(xOrigin: 8, yOrigin: 16, width: 400, height: 160)
    #expect(try reduction(50, 20, crop) == 8 && reduction(51, 20, crop) == 4 && reduction(50, 21, crop) == 4)
  }

  @Test func `turns the smaller picture`() throws {
    let file = Self.jpeg(800, 400, orientation: 6)
    let plan = try Self.plan(ImageTransform(width: 50), file)
    #expect(plan.unturnedSize == PixelSize(width: 100, height: 50) && plan.reduction == 8)
    #expect(plan.turn == Turn(orientation: 6))
    let larger = try Self.plan(ImageTransform(width: 51), file)
    #expect(larger.unturnedSize == PixelSize(width: 102, height: 51) && larger.reduction == 4)
    // Upright again.
    let back = try Self.plan(ImageTransform(rotation: .R270), file)
    #expect(back.turn == .none && back.unturnedSize == PixelSize(width: 800, height: 400))
  }

  @Test func `reads a part of the picture, in the pixels that are read`() throws {
    let crop = ImageTransform.Crop(xOrigin: 8, yOrigin: 16, width: 400, height: 160)
    let plan = try Self.plan(ImageTransform(crop: crop, size: .init(width: 50, height: 20)), Self.jpeg(800, 400))
    #expect(plan.source(in: PixelSize(width: 100, height: 50)) == SourceArea(columns: 1..<51, rows: 2..<22))
    let whole = try Self.plan(ImageTransform(crop: crop), Self.jpeg(800, 400))
    #expect(whole.source(in: PixelSize(width: 800, height: 400)) == SourceArea(columns: 8..<408, rows: 16..<176))
    // A side that eight does not divide ends within a pixel, and never behind the last.
    let odd = try Self.plan(ImageTransform(width: 50), Self.jpeg(801, 404))
    #expect(odd.reduction == 8)
    #expect(odd.source(in: PixelSize(width: 101, height: 51)) == SourceArea(columns: 0..<100.125, rows: 0..<50.5))
    #expect(odd.source(in: PixelSize(width: 100, height: 50)) == SourceArea(columns: 0..<100, rows: 0..<50))
    // The upper left part of an upright picture is the lower left one of the file.
    let turned = try Self.plan(
      ImageTransform(crop: .init(xOrigin: 0, yOrigin: 0, width: 10, height: 20)), Self.jpeg(800, 400, orientation: 6))
    #expect(
      turned.source(in: PixelSize(width: 800, height: 400)) == SourceArea(columns: 0..<20, rows: 390..<400))
  }

  @Test func `reads all pixels of what is no JPEG`() throws {
    let png = try PNGCodec.encode(TestPicture.gradient(80, 40))
    let plan = try Self.plan(ImageTransform(width: 1), png)
    #expect(plan.reduction == 1 && plan.format == .PNG && plan.unturnedSize == PixelSize(width: 1, height: 1))
    #expect(try Self.plan(ImageTransform(format: .GIF), png).format == .GIF)
  }

  @Test func `rounds the height, to one at least`() throws {
    func height(_ width: Int, _ file: [UInt8]) throws -> Int {
      try Self.plan(ImageTransform(width: width), file).unturnedSize.height
    }
    #expect(try height(1, Self.jpeg(1_000, 1)) == 1 && height(999, Self.jpeg(1_000, 1)) == 1)
    #expect(try height(3, Self.jpeg(10, 4)) == 1 && height(4, Self.jpeg(10, 4)) == 2)
    #expect(try height(5, Self.jpeg(10, 5)) == 3)
  }

  // MARK: What is not possible

  @Test func `has a quality and sides within their bounds`() throws {
    for quality in [1, 100] { _ = try Self.plan(ImageTransform(quality: quality), Self.jpeg(8, 8)) }
    #expect(Self.message(ImageTransform(quality: 0)) == "The quality of a picture is 1 to 100, not 0.")
    #expect(Self.message(ImageTransform(quality: 101)) == "The quality of a picture is 1 to 100, not 101.")
    #expect(Self.message(ImageTransform(width: 0)) == "The width of a picture is 1 or more, not 0.")
    let sides = "The sides of a picture are 1 to 1000000, not "
    #expect(Self.message(ImageTransform(size: .init(width: 0, height: 5))) == sides + "0 and 5.")
    #expect(Self.message(ImageTransform(size: .init(width: 5, height: 0))) == sides + "5 and 0.")
    #expect(
      Self.message(ImageTransform(format: .PNG, size: .init(width: 1_000_001, height: 1))) == sides + "1000001 and 1.")
    #expect(
      Self.message(ImageTransform(format: .PNG, size: .init(width: 1, height: 1_000_001))) == sides + "1 and 1000001.")
    for size in [ImageTransform.Size(width: 1_000_000, height: 1), .init(width: 1, height: 1_000_000)] {
      let plan = try Self.plan(ImageTransform(format: .PNG, size: size), Self.jpeg(8, 8))
      #expect(plan.unturnedSize == PixelSize(width: size.width, height: size.height))
    }
  }

  @Test func `crops within the picture`() throws {
    func crop(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> ImageTransform {
      ImageTransform(crop: .init(xOrigin: x, yOrigin: y, width: width, height: height))
    }
    for (transform, size) in [
      (crop(0, 0, 1, 1), [1, 1]), (crop(799, 399, 1, 1), [1, 1]), (crop(799, 0, 5, 400), [1, 400]),
      (crop(1, 1, 799, 399), [799, 399]), (crop(1, 2, 800, 399), [799, 398]), (crop(0, 0, .max, .max), [800, 400]),
    ] {
      let plan = try Self.plan(transform, Self.jpeg(800, 400))
      #expect(plan.unturnedSize == PixelSize(width: size[0], height: size[1]))
    }
    for wrong in [crop(-1, 0, 1, 1), crop(0, -1, 1, 1), crop(0, 0, 0, 1), crop(0, 0, 1, 0)] {
      #expect(Self.message(wrong) == "A crop begins at 0 or later and has at least one pixel.")
    }
    #expect(Self.message(crop(800, 0, 1, 1)) == "The crop begins at 800, 0, and the picture is 800 x 400 pixels.")
    #expect(Self.message(crop(0, 400, 1, 1)) == "The crop begins at 0, 400, and the picture is 800 x 400 pixels.")
    // It is of the upright picture.
    #expect(try Self.plan(crop(0, 400, 1, 1), Self.jpeg(800, 400, orientation: 8)).unturnedSize.width == 1)
  }

  // MARK: Limits

  @Test(arguments: [
    (ImageTransform.Format.GIF, 65_535, "GIF"), (.PNG, 1_000_000, "PNG"), (.PNG8, 1_000_000, "PNG"),
    (.JPG, 65_500, "JPEG"), (.PJPG, 65_500, "JPEG"), (.WEBP, 16_383, "WebP"), (.WEBPLL, 16_383, "WebP"),
  ])
  func `has sides that its format can have`(format: ImageTransform.Format, side: Int, name: String) throws {
    let limits = ImageLimits()
    try limits.check(rendition: PixelSize(width: side, height: 1), as: format.imageFormat)
    try limits.check(rendition: PixelSize(width: 1, height: side), as: format.imageFormat)
    for size in [PixelSize(width: side + 1, height: 1), PixelSize(width: 1, height: side + 1)] {
      let error = #expect(throws: ImageError.self) { try limits.check(rendition: size, as: format.imageFormat) }
      #expect(error?.message == "A \(name) file of \(size) is not possible: a side has at most \(side) pixels.")
    }
  }

  @Test(arguments: [(7, 3, 21), (1, 21, 21), (21, 1, 21), (10, 10, 100), (3, 7, 22), (1, 1, 1)])
  func `has pixels within its limit`(width: Int, height: Int, pixels: Int) throws {
    let size = PixelSize(width: width, height: height)
    try ImageLimits(pixels: pixels).check(size)
    try ImageLimits(renditionPixels: pixels).check(rendition: size, as: .png)
    let less = width * height - 1
    let error = #expect(throws: ImageError.self) { try ImageLimits(pixels: less).check(size) }
    #expect(error?.message == "The picture is \(width) x \(height) pixels, and \(less) pixels are allowed.")
    #expect(error?.recovery == "Use a picture of fewer pixels.")
    let other = #expect(throws: ImageError.self) {
      try ImageLimits(renditionPixels: less).check(rendition: size, as: .png)
    }
    #expect(other?.message == "A picture of \(width) x \(height) pixels is asked for, and \(less) pixels are allowed.")
  }

  @Test(arguments: [(0, 1), (1, 0), (0, 0), (-1, 5), (5, -1)])
  func `has pixels`(width: Int, height: Int) {
    let error = #expect(throws: ImageError.self) { try ImageLimits().check(PixelSize(width: width, height: height)) }
    #expect(error?.message == "The picture has no pixels: it is \(width) x \(height) pixels.")
  }

  @Test func `says what is wrong with a file, and what to do`() {
    let plain = ImageError.broken(.png, "")
    #expect(plain.message == "The PNG file cannot be read.")
    #expect(plain.description == "The PNG file cannot be read. Save the picture again, or use another file.")
    #expect(ImageError.broken(.webp, "why").message == "The WebP file cannot be read: why.")
    #expect(ImageError.notWritten(.jpeg, "").message == "The picture cannot be written as JPEG.")
    #expect(
      ImageError.notWritten(.gif, "why").description
        == "The picture cannot be written as GIF: why. Ask for another format or a smaller size.")
    let long = String(repeating: "é", count: 201)
    #expect(ImageError.broken(.gif, long).message == "The GIF file cannot be read: \(long.dropLast()).")
    #expect(ImageError.notWritten(.gif, long).message == "The picture cannot be written as GIF: \(long.dropLast()).")
    #expect(ImageError("Why.").description == "Why." && ImageError("Why.").recovery == nil)
  }
}
