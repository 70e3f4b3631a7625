import HandoverCore
import HandoverEngine

/// The ranking of backends by their hanging calls, worst first.
struct MatrixRanking {
  /// The entry of one backend.
  struct Line: Hashable {
    /// The index of the backend.
    var backend: Int
    /// The calls that hang.
    var hangs = Summary.Hangs()
    /// The number of cases with a hanging call.
    var hangingCases = 0
    /// The cell of the longest hang that ended, or `nil` if there is none.
    var worst: Position?
    /// The first cell in which a call never ended, or `nil` if there is none.
    var endless: Position?
    /// The number of cases in each state.
    var counts: [Matrix.CellState: Int] = [:]  // lookup only

    /// The number of cases that ran.
    var played: Int {
      Matrix.CellState.allCases.filter(\.wasPlayed).reduce(0) { $0 + count($1) }
    }

    /// The number of cases that failed or ended with an error.
    var bad: Int { count(.failed) + count(.error) }

    /// Returns the number of cases in a state.
    func count(_ state: Matrix.CellState) -> Int { counts[state] ?? 0 }
  }

  /// The position of a cell.
  struct Position: Hashable {
    var row: Int
    var column: Int
  }

  /// The backends, worst first.
  ///
  /// The criteria are, in this order: calls that never end, the longest hang, the number of hangs,
  /// and failures. Backends that are equal keep their order.
  let lines: [Line]

  init(_ matrix: Matrix) {
    var lines = matrix.backends.indices.map { Line(backend: $0) }
    for (index, row) in matrix.rows.enumerated() {
      for (column, cell) in row.cells.enumerated() {
        guard let state = Matrix.state(of: cell) else { continue }
        let backend = matrix.columns[column].backend
        lines[backend].counts[state, default: 0] += 1
        guard case .run(let one) = cell, one.hangs.calls > 0 else { continue }
        lines[backend].add(one.hangs, at: Position(row: index, column: column))
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
  fileprivate mutating func add(_ hangs: Summary.Hangs, at position: MatrixRanking.Position) {
    hangingCases += 1
    self.hangs.calls += hangs.calls
    self.hangs.neverEnded += hangs.neverEnded
    if hangs.neverEnded > 0, endless == nil { endless = position }
    if let worst = hangs.worst, worst > self.hangs.worst ?? Interval(microseconds: -1) {
      self.hangs.worst = worst
      self.worst = position
    }
  }

  /// The sort key; backends with larger values come first.
  fileprivate var rank: [Int64] {
    [
      hangs.neverEnded > 0 ? 1 : 0, hangs.worst?.microseconds ?? -1, Int64(hangs.calls),
      Int64(bad), -Int64(count(.passed)),
    ]
  }
}
