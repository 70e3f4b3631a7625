import HandoverCore
import HandoverEngine

/// Which backend lets calls hang, and for how long: the worst first.
struct MatrixRanking {
  /// What is told of one backend.
  struct Line: Hashable {
    /// The place of the backend.
    var backend: Int
    /// Its calls that hang.
    var hangs = Summary.Hangs()
    /// In how many cases they do.
    var hangingCases = 0
    /// The cell of the longest hang that ended; nil where none did.
    var worst: Place?
    /// The first cell in which a call never ended.
    var endless: Place?
    /// How many cases are in each state.
    var counts: [Matrix.CellState: Int] = [:]  // lookup only

    /// How many cases were played.
    var played: Int {
      Matrix.CellState.allCases.filter(\.wasPlayed).reduce(0) { $0 + count($1) }
    }

    /// How many of its cases failed or broke.
    var bad: Int { count(.failed) + count(.error) }

    /// How many are in a state.
    func count(_ state: Matrix.CellState) -> Int { counts[state] ?? 0 }
  }

  /// A cell.
  struct Place: Hashable {
    var row: Int
    var column: Int
  }

  /// The backends: those that never end a call first, then by the longest hang, by the number of
  /// hangs, by failures; what is equal in all of it stands as it was named.
  let lines: [Line]

  init(_ matrix: Matrix) {
    var lines = matrix.backends.indices.map { Line(backend: $0) }
    for (index, row) in matrix.rows.enumerated() {
      for (column, cell) in row.cells.enumerated() {
        guard let state = Matrix.state(of: cell) else { continue }
        let backend = matrix.columns[column].backend
        lines[backend].counts[state, default: 0] += 1
        guard case .run(let one) = cell, one.hangs.calls > 0 else { continue }
        lines[backend].add(one.hangs, at: Place(row: index, column: column))
      }
    }
    self.lines = lines.enumerated().sorted { one, other in
      let (left, right) = (one.element.rank, other.element.rank)
      return left == right
        ? one.offset < other.offset : right.lexicographicallyPrecedes(left)
    }.map(\.element)
  }
}

extension MatrixRanking.Line {
  fileprivate mutating func add(_ hangs: Summary.Hangs, at place: MatrixRanking.Place) {
    hangingCases += 1
    self.hangs.calls += hangs.calls
    self.hangs.neverEnded += hangs.neverEnded
    if hangs.neverEnded > 0, endless == nil { endless = place }
    if let worst = hangs.worst, worst > self.hangs.worst ?? Interval(microseconds: -1) {
      self.hangs.worst = worst
      self.worst = place
    }
  }

  /// The larger, the higher it stands.
  fileprivate var rank: [Int64] {
    [
      hangs.neverEnded > 0 ? 1 : 0, hangs.worst?.microseconds ?? -1, Int64(hangs.calls),
      Int64(bad), -Int64(count(.passed)),
    ]
  }
}
