import HandoverCore
import Testing

@testable import HandoverInterceptors

@Suite("A queue that is almost always short")
struct ShortQueueTests {
  @Test("it gives its elements in the order of their arrival, as an array would")
  func sameAsAnArray() {
    var random = SeededGenerator(seed: 7)
    var queue: ShortQueue<UInt64> = []
    var array: [UInt64] = []
    for element in 0..<2_000 as Range<UInt64> {
      if random.next(upToAndIncluding: 1) == 0 {
        queue.append(element)
        array.append(element)
      } else {
        #expect(queue.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
      }
      #expect(queue.elementsEqual(array))
      #expect(queue.first == array.first && queue.count == array.count)
    }
  }

  @Test("an element that is alone can be taken as such; of several none is")
  func popOnly() {
    var queue: ShortQueue<Int> = []
    #expect(queue.popOnly() == nil)
    queue.append(1)
    queue.append(2)
    #expect(queue.popOnly() == nil)
    _ = queue.popFirst()
    #expect(queue.popOnly() == 2 && queue.isEmpty)
  }

  @Test("queues with the same elements are equal, however they came to hold them")
  func equality() {
    var queue: ShortQueue<Int> = [1, 2, 3]
    _ = queue.popFirst()
    #expect(queue == [2, 3])
    #expect(Set([queue, [2, 3]]).count == 1)
    queue.removeAll()
    #expect(queue == [] && queue.isEmpty && queue.popFirst() == nil)
  }
}
