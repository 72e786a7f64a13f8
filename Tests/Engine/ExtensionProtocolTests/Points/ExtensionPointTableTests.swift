import ExtensionProtocol
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A table of extension points` {
  private let table = ExtensionPointTable.testing

  @Test func `lists them by their positions`() {
    #expect(table.points == [.clock, .sender])
    #expect(table.pointsTakingItems == [.sender])
  }

  @Test func `finds them by identifier and by short name`() {
    #expect(table.point(named: "clock") == .clock && table.point(named: "com.example.points.sender") == .sender)
    #expect(table.point(named: "app") == .containingApp && table.point(named: "widget") == nil)
    #expect(table.shortName(of: .clock) == "clock" && table.shortName(of: .containingApp) == "app")
    #expect(table.shortName(of: ExtensionPoint(rawValue: "com.example.none")) == "com.example.none")
  }

  @Test func `holds an unknown point to what the containing app may use`() {
    let unknown = table.definition(of: ExtensionPoint(rawValue: "com.example.none"))
    #expect(unknown.limits == table.definition(of: .containingApp).limits && unknown.limits.memory == 256 << 20)
    #expect(unknown.groups == .readWrite && unknown.reuse == .never && !unknown.takesItems)
    #expect(!table.contains(.containingApp) && table.contains(.clock))
  }

  @Test func `has the app last, as the app itself defines it`() {
    #expect(table.all.map(\.point) == [.clock, .sender, .containingApp])
    func app(_ memory: UInt64) -> ExtensionPointDefinition {
      ExtensionPointDefinition(
        .containingApp, shortName: "program", role: "a program", plural: "the programs",
        limits: ExtensionLimits(memoryMiB: memory))
    }
    let own = table.adding([app(8), app(9)])
    #expect(own.all.map(\.point) == [.clock, .sender, .containingApp] && own.points == [.clock, .sender])
    #expect(own.definition(of: .containingApp).limits.memory == 9 << 20)
    #expect(own.point(named: "program") == .containingApp && own.point(named: "app") == nil)
    #expect(own.adding([ExtensionPointDefinition]()).all.count == 3)
  }

  @Test func `lists points of one position by their names`() {
    func point(_ name: String) -> ExtensionPointDefinition {
      ExtensionPointDefinition(
        ExtensionPoint("com.example.\(name)"), shortName: name, role: name, plural: name,
        limits: ExtensionLimits(memoryMiB: 1))
    }
    let names = ExtensionPointTable([point("b"), point("c"), point("a")]).definitions.map(\.shortName)
    #expect(names == ["a", "b", "c"])
    let catalogue = MethodCatalogue(contracts: [], points: table)
    #expect(catalogue.entries.isEmpty)
  }

  @Test func `takes the last definition of a point`() {
    var clock = table.definition(of: .clock)
    clock.reuse = .never
    #expect(ExtensionPointTable(table.definitions + [clock]).definition(of: .clock).reuse == .never)
  }
}
