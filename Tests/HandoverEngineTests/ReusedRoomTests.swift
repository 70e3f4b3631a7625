import HandoverCore
import Testing

@testable import HandoverEngine

@Suite("Room that is used again")
struct ReusedRoomTests {
  @Test("An array that was emptied holds what came since, and nothing of what was there")
  func reusedArray() {
    var array = ReusedArray<Int>()
    for count in [3, 0, 5, 2] {
      array.removeAll()
      #expect(array.isEmpty)
      for number in 0..<count { array.append(10 * count + number) }
      #expect(Array(array) == (0..<count).map { 10 * count + $0 })
      #expect(array.last == (count == 0 ? nil : 10 * count + count - 1))
      for index in array.indices { array[index] += 1 }
      #expect(Array(array) == (0..<count).map { 10 * count + $0 + 1 })
    }
    var other = ReusedArray<Int>()
    for number in [21, 22] { other.append(number) }
    #expect(array == other)
    #expect(array.hashValue == other.hashValue)
    other.append(23)
    #expect(array != other)
  }

  @Test("A place behind those in use is none, whatever stood there before")
  func reusedArrayBounds() async {
    await #expect(processExitsWith: .failure) {
      var array = ReusedArray<Int>()
      array.append(1)
      array.removeAll()
      _ = array[0]
    }
  }

  @Test("A call that lost its row is found by its identifier, one of few and one of many")
  func formerCalls() {
    var former = FormerCalls()
    #expect(former.isEmpty)
    for count in [100, 10] {
      for generation in 0..<count {
        former.append(Self.call(generation), UInt32(generation))
        for earlier in 0...generation { #expect(former.index(of: Self.call(earlier)) == earlier) }
        #expect(former.index(of: Self.call(generation + 1)) == nil)
      }
      #expect(!former.isEmpty)
      former.removeAll()
      #expect(former.isEmpty)
      #expect(former.index(of: Self.call(0)) == nil)
    }
  }

  @Test("A call that lost its row as several attempts is found where it stood last")
  func latestFormerCall() {
    var former = FormerCalls()
    for index in 0..<40 as Range<UInt32> {
      former.append(Self.call(7), index)
      #expect(former.index(of: Self.call(7)) == Int(index))
    }
  }

  private static func call(_ generation: Int) -> CallID {
    CallID(index: 0, generation: UInt32(generation))
  }
}
