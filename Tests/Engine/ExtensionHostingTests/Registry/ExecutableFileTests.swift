import Foundation
import PropertyList
import Testing

@testable import ExtensionHosting

/// What runs of a manifest, and what is advised where nothing does.
@Suite(.timeLimit(.minutes(1))) struct `An executable that a manifest names` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeExecutable("clock")
    try folder.write("script", "exit 0\n".utf8)
  }

  private func file(_ name: String, interpreter: String? = nil, in places: String...) -> ExecutableFile {
    let folders = places.isEmpty ? [folder.path] : places.map { "\(folder.path)/\($0)" }
    return ExecutableFile(name, in: folders.map { .init($0) }, interpreter: interpreter)
  }

  @Test(
    arguments: [
      ("/usr/bin/python3.99", "python3.99"), ("/usr/bin/node99", "node99"), ("/usr/bin/perl5.99.9", "perl5.99.9"),
      ("/usr/bin/ruby9", "ruby9"), ("/usr/bin/python3.99x", nil), ("/usr/bin/pythonic", nil),
      ("/usr/local/bin/python3.99", nil), ("/usr/bin/tcl99", nil), ("/usr/bin/", nil), ("/bin/python3.99", nil),
    ] as [(String, String?)])
  func `needs a known interpreter to be installed, with the name of its package`(path: String, package: String?) {
    let fault = file("script", interpreter: path).fault
    #expect(fault?.keyPath.description == "Annex.Interpreter" && fault?.isOfMachine == (package != nil))
    guard let package else {
      #expect(fault?.message == "The interpreter \(path) does not exist or cannot be run.")
      return
    }
    #expect(fault?.message == "It needs \(path), which is not installed on this machine.")
    #expect(fault?.recovery == "Install it: “sudo apt-get install \(package)” on Debian.")
  }

  @Test func `is a script of an interpreter, and need not be marked then`() throws {
    let script = file("script", interpreter: "/bin/sh")
    #expect(script.fault == nil && script.interpreter == "/bin/sh" && script.path == "\(folder.path)/script")
    #expect(script.program == nil)
    let own = file("script", interpreter: "clock")
    #expect(own.fault == nil && own.interpreter == "\(folder.path)/clock")
    let missing = file("none", interpreter: "clock")
    #expect(missing.interpreter == nil && missing.fault?.isOfPlaces == true)
    #expect(file("none", interpreter: "/bin/sh").interpreter == "/bin/sh")
    let plain = file("script", interpreter: "script")
    #expect(plain.fault?.message == "The interpreter \(folder.path)/script does not exist or cannot be run.")
    #expect(plain.fault?.isOfMachine == false && plain.fault?.isOfManifest == false)
  }

  @Test func `is marked as a program, or says what it needs`() throws {
    #expect(file("clock").fault == nil && file("clock").interpreter == nil)
    let plain = file("script").fault
    #expect(plain?.message == "The file \(folder.path)/script is not marked as executable.")
    #expect(plain?.recovery == "Run: chmod 755 \(folder.path)/script" && plain?.isOfManifest == false)
    try folder.write("shell", "#!/bin/sh\nexit 0\n".utf8, mode: 0o755)
    let shell = file("shell").fault
    #expect(shell?.isOfManifest == true && shell?.keyPath.description == "Annex.Interpreter")
    #expect(
      shell?.recovery
        == "Write <key>Annex</key><dict><key>Interpreter</key><string>/bin/sh</string></dict>.")
    #expect(file("shell", interpreter: "/bin/sh").fault == nil)
  }

  @Test func `is meant by a name that is nearly the same, in its only place`() throws {
    try folder.write("clocks/x", "".utf8)
    try folder.write("Info.plist", "".utf8)
    let misspelt = file("clok").fault
    #expect(misspelt?.message == "The executable \(folder.path)/clok does not exist.")
    #expect(misspelt?.recovery == "Did you mean clock? Correct the name in the manifest, or put the file there.")
    #expect(misspelt?.isOfPlaces == true && misspelt?.keyPath.description == "CFBundleExecutable")
    // The manifest itself is not meant.
    #expect(file("Info.plis").fault?.recovery == "Put the executable there, or build it.")
    #expect(file("zebra").fault?.recovery == "Put the executable there, or build it.")
    let interpreter = file("script", interpreter: "clok").fault
    #expect(interpreter?.recovery == "Did you mean clock? Correct the name in the manifest, or put the file there.")
    let several = file("clok", in: ".", "clocks").fault
    #expect(
      several?.message
        == "The executable clok does not exist: it is in none of \(folder.path)/., \(folder.path)/clocks.")
    #expect(several?.recovery == "Put it beside the manifest, or name its folder under Annex.Products.")
    #expect(several?.isOfPlaces == true)
  }

  @Test func `is in the first place that has it, and in none that it leads out of`() throws {
    try folder.writeExecutable("one/clock")
    try folder.writeExecutable("two/clock")
    try folder.writeExecutable("two/bell")
    #expect(file("clock", in: "none", "two", "one").path == "\(folder.path)/two/clock")
    #expect(file("bell", in: "one", "two").path == "\(folder.path)/two/bell")
    for name in ["../clock", "..", "."] {
      let found = file(name, in: "one")
      #expect(found.fault != nil && found.program == nil, "\(name)")
    }
    let outside = "The executable \(folder.path)/clock lies outside of \(folder.path)/one."
    #expect(file("../clock", in: "one").fault?.message == outside)
    try folder.write("one/folder/x", "".utf8)
    #expect(
      file("folder", in: "one").fault?.message == "The executable \(folder.path)/one/folder is not a regular file.")
  }

  @Test func `is the program of its folder in a place of programs, and not hidden there`() throws {
    for name in ["one/deep/script", "one/.hidden/script", "one/deep/.script", "one/script"] {
      try folder.write(name, "exit 0\n".utf8)
    }
    func found(_ name: String, _ interpreter: String? = "/bin/sh") -> ExecutableFile {
      ExecutableFile(name, in: [.init("\(folder.path)/one", holdsPrograms: true)], interpreter: interpreter)
    }
    #expect(found("deep/script").program == "\(folder.path)/one/deep" && found("deep/script").fault == nil)
    #expect(found("script").program == nil && found("script").fault == nil)
    for (name, hidden) in [(".hidden/script", ".hidden"), ("deep/.script", ".script")] {
      let fault = found(name).fault
      #expect(fault?.message.contains("is hidden, by “\(hidden)”") == true && fault?.isOfManifest == true)
    }
    // A program is not read by anybody, and has no folder of its own.
    try folder.writeExecutable("one/.hidden/clock")
    #expect(found(".hidden/clock", nil).fault == nil && found(".hidden/clock", nil).program == nil)
    // An interpreter is looked for below the folder of the program.
    try folder.writeExecutable("one/deep/bin/sh")
    #expect(found("deep/script", "bin/sh").interpreter == "\(folder.path)/one/deep/bin/sh")
  }
}
