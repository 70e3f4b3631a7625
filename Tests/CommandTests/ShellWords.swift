/// The commands of a shell script, each with its words, as far as pages use them.
///
/// Assignments before a command, comments and redirections are left out.
struct ShellWords {
  private(set) var commands: [[String]] = []
  private var words: [String] = []
  private var word: String?
  private var quote: Character?

  init(_ script: String) {
    var isComment = false
    for character in script.replacing("\\\n", with: " ") {
      if character == "\n" {
        isComment = false
      } else if isComment {
        continue
      }
      if let open = quote {
        if character == open { quote = nil } else { word?.append(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character == "#", word == nil {
        isComment = true
      } else if "\n|;&".contains(character) {
        endCommand()
      } else if character == " " {
        endWord()
      } else {
        word = (word ?? "") + String(character)
      }
    }
    endCommand()
  }

  private mutating func endWord() {
    if let word, words != [] || word.wholeMatch(of: /[A-Z_]+=.*/) == nil, !word.hasPrefix(">") {
      words.append(word)
    }
    word = nil
  }

  private mutating func endCommand() {
    endWord()
    if !words.isEmpty { commands.append(words) }
    words = []
  }
}

extension CommandTree.Node {
  /// The first word of a command line that the command does not know; nil if the command knows all
  /// words.
  ///
  /// Only subcommands and names of options are checked. If a word is itself a command line, its
  /// names are checked as well.
  func complaint(about words: [String]) -> String? {
    guard words.first == "handover" else { return nil }
    var node = self
    for word in words.dropFirst() {
      if word == "--" { break }
      let option = String(word.prefix { $0 != "=" })
      if let next = node.subcommands?.first(where: { $0.commandName == word }) {
        node = next
      } else if word.hasPrefix("-"), word != "-" {
        if !["-h", "--help", "--version"].contains(option), !node.options.contains(option) {
          return word
        }
      } else if let nested = word.firstMatch(of: /^(?:exec:|lab:)?(handover .*)/) {
        for words in ShellWords(String(nested.output.1)).commands {
          if let word = complaint(about: words) { return word }
        }
      } else if node.subcommands?.isEmpty == false {
        // The command runs a scenario file without the subcommand `run`.
        guard node.commandName == commandName, word.contains("."),
          let run = subcommands?.first(where: { $0.commandName == "run" })
        else { return word }
        node = run
      }
    }
    return nil
  }
}
