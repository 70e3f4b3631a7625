package handover;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A device whose network a test changes step by step.
 *
 * <p>A lab is a client of `handover lab serve`, which must be in PATH, or named by the variable
 * HANDOVER_COMMAND. Only one thread may use a lab.
 */
public final class Lab implements AutoCloseable {
  private static final Long PROTOCOL = 1L;
  /** A server of the caller may need a minute until it listens. */
  private static final long ANSWER_SECONDS = 120;
  private static final long PERIOD_MILLISECONDS = 100;
  /** The default time for waits. */
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static final int KEPT_CHARACTERS = 4_096;

  /** A connection of the programs. Times are counted from the creation of the lab. */
  public record Connection(
      String name, Duration opened, Optional<Duration> closed, boolean answered, long payloads) {}

  /** A network change. */
  public record Move(Duration at, String text) {}

  /** The time without application data after a network change. */
  public record Outage(
      Duration since, Duration unusable, Optional<Duration> recovers, Optional<Duration> delay,
      long attempts, Duration watched, Optional<String> doubt, Optional<String> programEnd) {}

  /** The state of a program; status and signal are empty while it is running. */
  public record ProgramState(
      boolean running, Optional<Long> status, Optional<Long> signal, String output) {}

  /** What happened in a lab until now. */
  public record Observation(
      Duration at, List<Move> moves, long connectionCount, List<Connection> connections,
      List<Outage> outages, List<ProgramState> programs, long processes) {
    /** Returns how often application data arrived on the latest connections. */
    public long payloads() {
      return connections.stream().mapToLong(Connection::payloads).sum();
    }
  }

  /** What a program did after a network change. */
  public enum Verdict {
    /** Data arrived again within the limit. */
    RECOVERS,
    /** Data arrived again, after the limit. */
    LATE,
    /** No data arrived within the limit, although a new connection would work. */
    NO_DATA,
    /** The program ended before data arrived. */
    ENDED,
    /** The device has no network. */
    NO_NETWORK,
    /** No change took a network away from a program that had received data. */
    NO_OUTAGE
  }

  /** The verdict on the last network change, with the outage that it caused. */
  public record Recovery(Verdict verdict, Optional<Outage> outage) {}

  private final Process process;
  /** The answers; an empty one is the end. */
  private final BlockingQueue<Optional<String>> lines = new ArrayBlockingQueue<>(16);
  private final StringBuffer errors = new StringBuffer();
  private final Thread errorReader;
  private Optional<Observation> last = Optional.empty();

  /** Makes a lab. */
  public Lab(LabOptions options) {
    var command = new ArrayList<String>();
    command.add(command());
    command.addAll(List.of("lab", "serve", "--network", options.network()));
    command.addAll(List.of("--until", options.until()));
    for (var server : options.server()) command.addAll(List.of("--server", server));
    for (var condition : options.condition()) command.addAll(List.of("--condition", condition));
    try {
      process = new ProcessBuilder(command).start();
    } catch (IOException error) {
      throw new LabException(error.getMessage());
    }
    start(this::readLines);
    errorReader = start(this::readErrors);
    try {
      var ready = answer();
      if (!"ready".equals(ready.get("kind")) || !PROTOCOL.equals(ready.get("v"))) {
        throw new LabException(command.get(0) + " has another protocol: " + ready);
      }
    } catch (RuntimeException error) {
      close();
      throw error;
    }
  }

  /** Returns the name of the command. */
  static String command() {
    String named = System.getenv("HANDOVER_COMMAND");
    return named == null || named.isEmpty() ? "handover" : named;
  }

  private static Thread start(Runnable body) {
    var thread = new Thread(body, "handover");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void readLines() {
    try (var reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line; (line = reader.readLine()) != null; ) lines.put(Optional.of(line));
    } catch (IOException | InterruptedException error) {
      errors.append(error.getMessage());
    }
    try {
      lines.put(Optional.empty());
    } catch (InterruptedException error) {
      errors.append(error.getMessage());
    }
  }

  private void readErrors() {
    try (var reader = new BufferedReader(new InputStreamReader(process.getErrorStream()))) {
      for (String line; (line = reader.readLine()) != null; ) {
        errors.append(line).append('\n');
        errors.delete(0, Math.max(0, errors.length() - KEPT_CHARACTERS));
      }
    } catch (IOException error) {
      errors.append(error.getMessage());
    }
  }

  /** Ends the lab with all its programs. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException error) {
      // The lab has ended already.
    }
    try {
      if (!process.waitFor(ANSWER_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
    } catch (InterruptedException error) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private Map<String, Object> answer() {
    Optional<String> line;
    try {
      line = lines.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
      if (line == null) throw new LabException("the lab gave no answer");
      // The last message arrives a little later than the end of the answers.
      if (line.isEmpty()) errorReader.join(ANSWER_SECONDS * 1_000);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new LabException("the wait for the lab was interrupted");
    }
    if (line.isEmpty()) {
      lines.add(line);
      throw new LabException("the lab has ended: " + errors);
    }
    var answer = Json.object(line.get());
    String message = String.valueOf(answer.get("message"));
    if ("ended".equals(answer.get("kind"))) {
      throw "no-lab".equals(answer.get("reason"))
          ? new LabException.Unavailable(message) : new LabException(message);
    }
    if ("error".equals(answer.get("kind"))) {
      throw new LabException(message + " (" + answer.get("hint") + ")");
    }
    return answer;
  }

  private Map<String, Object> request(Map<String, Object> request) {
    try {
      var output = process.getOutputStream();
      output.write((Json.text(request) + "\n").getBytes(StandardCharsets.UTF_8));
      output.flush();
    } catch (IOException error) {
      // The lab has ended, and its last line is the reason.
    }
    return answer();
  }

  /** Starts a program on the device. */
  public Program run(String... command) {
    return run(List.of(command), Map.of());
  }

  /** Starts a program on the device with changed environment variables. */
  public Program run(List<String> command, Map<String, String> environment) {
    var answer =
        request(Map.of("cmd", "start", "program", command, "environment", environment));
    return new Program((int) (long) (Long) answer.get("program"), command.get(0));
  }

  /** Starts the main method of a class on the device, in a process of its own. */
  public Program run(Class<?> client, String... arguments) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command = new ArrayList<>(
        List.of(java, "-cp", System.getProperty("java.class.path"), client.getName()));
    command.addAll(List.of(arguments));
    return run(command, Map.of());
  }

  /** Changes the network, such as to cellular. The change is complete afterwards. */
  public void move(String to) {
    request(Map.of("cmd", "move", "to", to));
  }

  /** Changes the quality of a medium, such as wifi:delay=80ms,loss=1%. */
  public void quality(String condition) {
    request(Map.of("cmd", "quality", "condition", condition));
  }

  /** Returns what happened until now. */
  public Observation observe() {
    var seen = observation(new Members(request(Map.of("cmd", "observe"))));
    last = Optional.of(seen);
    return seen;
  }

  /** Waits until an observation meets a condition, and returns it. */
  public Observation waitUntil(String what, Duration timeout, Predicate<Observation> condition) {
    long end = System.nanoTime() + timeout.toNanos();
    while (true) {
      var seen = observe();
      if (condition.test(seen)) return seen;
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("waited " + timeout.toMillis() + " ms for " + what);
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PERIOD_MILLISECONDS);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new LabException("the wait for the lab was interrupted");
    }
  }

  /**
   * Waits up to a minute until application data has arrived three times since now.
   *
   * <p>A change has an effect only on a program that has received data.
   */
  public Observation waitForData() {
    long enough = observe().payloads() + 3;
    return waitUntil("data to arrive 3 times", TIMEOUT, seen -> seen.payloads() >= enough);
  }

  /**
   * Waits until the verdict on the last change is certain, and returns it.
   *
   * @param within the limit, counted from the moment at which a new connection would work
   */
  public Recovery recovery(Duration within) {
    long end = System.nanoTime() + within.plus(TIMEOUT).toNanos();
    while (true) {
      var outages = observe().outages();
      if (outages.isEmpty()) return new Recovery(Verdict.NO_OUTAGE, Optional.empty());
      var outage = outages.get(outages.size() - 1);
      var verdict = verdict(outage, within);
      if (verdict.isPresent()) return new Recovery(verdict.get(), Optional.of(outage));
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("the outage has no verdict: " + outage);
      }
      pause();
    }
  }

  /** Returns the verdict on an outage, which is empty if it is not certain yet. */
  static Optional<Verdict> verdict(Outage outage, Duration within) {
    if (outage.recovers().isPresent()) {
      var delay = outage.delay().orElse(outage.recovers().get());
      return Optional.of(delay.compareTo(within) <= 0 ? Verdict.RECOVERS : Verdict.LATE);
    }
    if (outage.programEnd().isPresent()) return Optional.of(Verdict.ENDED);
    if (outage.watched().compareTo(within) <= 0) return Optional.empty();
    if (outage.doubt().isEmpty()) return Optional.of(Verdict.NO_DATA);
    return outage.doubt().filter("no-network"::equals).map(doubt -> Verdict.NO_NETWORK);
  }

  /** Returns a text about the lab, for people. */
  public String report() {
    try {
      observe();
    } catch (LabException error) {
      // The lab has ended, and the last observation is the best one.
    }
    if (last.isEmpty()) return errors.toString();
    var text = new StringBuilder();
    for (var move : last.get().moves()) {
      text.append(String.format("%10.3f s  %s%n", seconds(move.at()), move.text()));
    }
    for (var one : last.get().connections()) {
      var end = one.closed().map(at -> String.format("closed at %.3f s", seconds(at)));
      text.append(String.format("%s: opened at %.3f s, %s, data %d times%n",
          one.name(), seconds(one.opened()), end.orElse("open"), one.payloads()));
    }
    for (var program : last.get().programs()) {
      var output = program.output();
      text.append("a program, the end of its output:\n")
          .append(output.substring(Math.max(0, output.length() - 1_000))).append('\n');
    }
    return text.toString();
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }

  /** A program that a test started in a lab. */
  public final class Program {
    private final int number;
    private final String name;

    private Program(int number, String name) {
      this.number = number;
      this.name = name;
    }

    private ProgramState in(Observation seen) {
      return seen.programs().get(number - 1);
    }

    /** Returns the current state. */
    public ProgramState state() {
      return in(observe());
    }

    /** Waits up to a minute until the program has ended, and returns its state. */
    public ProgramState waitForEnd() {
      return in(waitUntil(name + " to end", TIMEOUT, seen -> !in(seen).running()));
    }

    /** Waits up to a minute until the program has written a text. */
    public void waitForOutput(String text) {
      waitUntil(name + " to write " + text, TIMEOUT, seen -> in(seen).output().contains(text));
    }

    /** Ends the program with all its children. */
    public void stop() {
      request(Map.of("cmd", "stop", "program", (long) number));
    }
  }

  /** The members of an object of the protocol. */
  private record Members(Map<String, Object> values) {
    private <T> T get(String key, Class<T> type) {
      if (!type.isInstance(values.get(key))) {
        throw new LabException("the lab answered no " + key);
      }
      return type.cast(values.get(key));
    }

    String text(String key) {
      return get(key, String.class);
    }

    long number(String key) {
      return get(key, Long.class);
    }

    boolean flag(String key) {
      return get(key, Boolean.class);
    }

    Duration time(String key) {
      return Duration.of(number(key), ChronoUnit.MICROS);
    }

    Optional<Duration> optionalTime(String key) {
      return values.get(key) == null ? Optional.empty() : Optional.of(time(key));
    }

    Optional<String> optionalText(String key) {
      return values.get(key) == null ? Optional.empty() : Optional.of(text(key));
    }

    Optional<Long> optionalNumber(String key) {
      return values.get(key) == null ? Optional.empty() : Optional.of(number(key));
    }

    @SuppressWarnings("unchecked")
    <T> List<T> list(String key, Function<Members, T> make) {
      return ((List<Object>) get(key, List.class)).stream()
          .map(one -> make.apply(new Members((Map<String, Object>) one))).toList();
    }
  }

  private static Observation observation(Members seen) {
    return new Observation(
        seen.time("at_us"),
        seen.list("moves", one -> new Move(one.time("at_us"), one.text("text"))),
        seen.number("connection_count"),
        seen.list("connections", one -> new Connection(
            one.text("name"), one.time("opened_us"), one.optionalTime("closed_us"),
            one.flag("answered"), one.number("payloads"))),
        seen.list("outages", one -> new Outage(
            one.time("since_us"), one.time("unusable_us"), one.optionalTime("recovers_us"),
            one.optionalTime("delay_us"), one.number("attempts"), one.time("watched_us"),
            one.optionalText("doubt"), one.optionalText("program_end"))),
        seen.list("programs", one -> new ProgramState(
            one.flag("running"), one.optionalNumber("status"), one.optionalNumber("signal"),
            one.text("output"))),
        seen.number("processes"));
  }
}
