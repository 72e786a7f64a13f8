import Glibc
import Testing

@testable import Sandbox

@Suite(.timeLimit(.minutes(1)))
struct `The first line of a script` {
  private let directory = TemporaryDirectory()

  @Test(
    arguments: [
      ("#!/bin/sh\n", "/bin/sh"), ("#! \t/bin/sh -e\nx", "/bin/sh"), ("#!/bin/sh", "/bin/sh"),
      ("#!/opt/ü\tx\n", "/opt/ü"), ("#!sh\n", nil), ("#!\n/bin/sh", nil), ("#!", nil), ("# !/bin/sh", nil), ("", nil),
    ] as [(String, String?)])
  func `names an absolute path`(text: String, path: String?) {
    #expect(ScriptInterpreter.path(of: directory.file("script", Array(text.utf8))) == path)
    #expect(ScriptInterpreter.path(of: "\(directory.path)/none") == nil)
  }

  @Test(
    arguments: [
      ("#!/opt/tool -x\n", "/opt/tool"), ("#! /opt/tool\r\n", "/opt/tool"), ("#!/usr/bin/env sh\n", "/usr/bin/sh"),
      ("#!/usr/bin/env -S A=b sh -e\n", "/usr/bin/sh"), ("#!/usr/bin/env annex-none\n", "/usr/bin/annex-none"),
      ("#!/usr/bin/env\n", "/usr/bin/env"), ("#!/usr/bin/env -S A=b\n", "/usr/bin/env"), ("#!\n", ""), ("text", nil),
    ] as [(String, String?)])
  func `advises the program that env would find`(text: String, path: String?) {
    let found = ScriptInterpreter.advised(for: directory.file("script", Array(text.utf8)))
    // Some systems have their shell in the one folder, some in the other.
    #expect(found == path || found == path.map { $0.replacingPrefix("/usr/bin", with: "/bin") })
  }
}

extension String {
  fileprivate func replacingPrefix(_ prefix: String, with other: String) -> String {
    hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
  }
}

@Suite(.timeLimit(.minutes(1)))
struct `A look at a file` {
  private let directory = TemporaryDirectory()

  @Test(
    arguments: [
      (0o755, []), (0o775, ["It can be changed by other users."]), (0o757, ["It can be changed by other users."]),
      (0o4755, ["It takes another user's rights (setuid or setgid)."]),
      (0o2755, ["It takes another user's rights (setuid or setgid)."]),
    ] as [(mode_t, [String])])
  func `finds what its mode allows to others`(mode: mode_t, faults: [String]) {
    let path = directory.file("file", [1], mode: mode)
    chmod(path, mode)
    #expect(FileLook.faults(of: path) == faults)
    #expect(!FileLook.isFolder(path) && FileLook.isFolder(directory.path))
  }

  @Test func `finds what is no file, folder or link, and what is not there`() {
    let pipe = "\(directory.path)/pipe"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(FileLook.faults(of: pipe) == ["It is not a file, folder or link."])
    #expect(FileLook.faults(of: "/dev/null").contains("It is not a file, folder or link."))
    #expect(FileLook.faults(of: "\(directory.path)/none") == ["It cannot be read."])
    #expect(FileLook.faults(of: directory.directory("open", mode: 0o777)) == ["It can be changed by other users."])
    // A folder passes its group on; that is nobody's right.
    #expect(FileLook.faults(of: directory.directory("group", mode: 0o2755)) == [])
    let link = directory.link("link", to: "open")
    #expect(FileLook.faults(of: link) == [])
    #expect(FileLook.link(link) == .some("\(directory.path)/open"))
    #expect(FileLook.link(directory.link("nowhere", to: "none")) == .some(nil))
    #expect(FileLook.link(directory.path) == .none)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to give something away"))
  func `finds an owner who could change it`() {
    let path = directory.file("file", [1])
    let rules = PlaceRules(host: HostIdentity(userID: 1_000, groupID: 1_000), unmapped: 65_534)
    func fault(_ owner: uid_t) -> (message: String, recovery: String)? {
      chown(path, owner, 0)
      return FileLook.ownerFault(of: path, in: "/bundle", rules)
    }
    for owner: uid_t in [0, 1_000] { #expect(fault(owner)?.message == nil) }
    let other = fault(4_711)
    #expect(other?.message == "It belongs to user 4711, who could change it.")
    #expect(other?.recovery == "Run: sudo chown -hR 1000 /bundle.")
    let unmapped = fault(65_534)
    #expect(unmapped?.message.hasPrefix("Others may be able to change it: its owner has no number in this") == true)
    #expect(unmapped?.recovery == "Start the host without unshare -r.")
  }

  /// A file is read in pieces of 4 MiB.
  @Test func `finds a word that lies across two pieces, and none that is part of another`() {
    let piece = 4 << 20
    for start in [piece - 11, piece - 6, piece - 1, piece, 0] {
      var bytes = [UInt8](repeating: 1, count: piece + 64)
      bytes.replaceSubrange(start..<start + 12, with: [0] + Array("forbidden".utf8) + [0, 0])
      let path = directory.file("file", bytes)
      #expect(ProgramSymbols.words(["forbidden", "x", "orbidde", "forbid"], in: path) == ["forbidden"], "\(start)")
    }
    let path = directory.file("short", [0] + Array("x".utf8) + [0])
    #expect(ProgramSymbols.words(["x", "y"], in: path) == ["x"] && ProgramSymbols.words([], in: path) == [])
    #expect(ProgramSymbols.words(["x"], in: path, limit: 0) == [])
    #expect(ProgramSymbols.words(["x"], in: "\(directory.path)/none") == [])
  }
}
