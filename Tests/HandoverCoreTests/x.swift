@testable import HandoverCore
