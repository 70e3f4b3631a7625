package handover;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A fake of Android's ConnectivityManager, whose default network changes as in a timeline.
 *
 * <p>The timeline comes from a {@link Move} or from a scenario file. The types have the names and
 * the methods of those in `android.net`, but need no Android. Callbacks are called before the
 * method that causes them returns, so that a test need not wait. Only one thread may use an object.
 */
public final class ScriptedConnectivity {
  /** The time limit for the command that reads a scenario. */
  private static final long RUN_SECONDS = 120;

  /** A network of the device. A network that returns after a loss is another object. */
  public record Network(int number) {}

  /** The properties of a network, as in `android.net.NetworkCapabilities`. */
  public record NetworkCapabilities(Set<Integer> transports, Set<Integer> capabilities) {
    public static final int TRANSPORT_CELLULAR = 0;
    public static final int TRANSPORT_WIFI = 1;
    public static final int NET_CAPABILITY_NOT_METERED = 11;
    public static final int NET_CAPABILITY_INTERNET = 12;
    /** The system has found that the network reaches the Internet. */
    public static final int NET_CAPABILITY_VALIDATED = 16;

    public boolean hasTransport(int transport) {
      return transports.contains(transport);
    }

    public boolean hasCapability(int capability) {
      return capabilities.contains(capability);
    }
  }

  /** The link of a network, as in `android.net.LinkProperties`. */
  public record LinkProperties(String getInterfaceName) {}

  /** The functions that are called, as in `android.net.ConnectivityManager.NetworkCallback`. */
  public abstract static class NetworkCallback {
    public void onAvailable(Network network) {}

    public void onLost(Network network) {}

    public void onCapabilitiesChanged(Network network, NetworkCapabilities capabilities) {}

    public void onLinkPropertiesChanged(Network network, LinkProperties link) {}

    public void onBlockedStatusChanged(Network network, boolean blocked) {}
  }

  /**
   * What the device and the app do from a time on.
   *
   * @param path the name of the network, or null if there is none
   * @param isRunning whether the app is not suspended
   */
  private record Step(Duration at, String path, boolean isCellular, boolean isRunning) {}

  private static Step wifi(int milliseconds) {
    return new Step(Duration.ofMillis(milliseconds), "wifi", false, true);
  }

  private static Step cellular(int milliseconds) {
    return new Step(Duration.ofMillis(milliseconds), "cellular", true, true);
  }

  private static Step none(int milliseconds) {
    return new Step(Duration.ofMillis(milliseconds), null, false, true);
  }

  private static Step suspended(Step step) {
    return new Step(step.at, step.path, step.isCellular, false);
  }

  /** The standard moves, which are those of the path monitor for Swift. */
  public enum Move {
    /** WiFi is replaced by cellular. */
    WIFI_TO_CELLULAR(wifi(0), cellular(1_000)),
    /** Cellular is replaced by WiFi. */
    CELLULAR_TO_WIFI(cellular(0), wifi(1_000)),
    /** WiFi is lost and returns after 8 s. */
    OFFLINE_AND_BACK(wifi(0), none(1_000), wifi(9_000)),
    /** WiFi is lost and returns after 100 ms. */
    FLAP(wifi(0), none(1_000), wifi(1_100)),
    /** Cellular is not connected for 2 s, as after airplane mode. */
    CONNECTION_REQUIRED(cellular(0), none(1_000), cellular(3_000)),
    /** The app is suspended while cellular replaces WiFi. */
    ASLEEP(wifi(0), suspended(wifi(1_000)), suspended(cellular(2_000)), cellular(4_000)),
    /** The app is suspended while WiFi is lost and returns. */
    ASLEEP_WITHOUT_CHANGE(
        wifi(0), suspended(wifi(1_000)), suspended(none(2_000)), suspended(wifi(3_000)),
        wifi(4_000));

    private final List<Step> steps;

    Move(Step... steps) {
      this.steps = List.of(steps);
    }
  }

  /** The state that callbacks receive; the network is null if there is none. */
  private record Delivery(Network network, NetworkCapabilities capabilities, boolean isBlocked) {}

  private final List<Step> steps;
  private int next = 1;
  private Step now;
  /** The default network, or null. */
  private Network network;
  private int networkCount = 100;
  private boolean isBlocked = false;
  private boolean isValidated = true;
  /** What the callbacks received last. */
  private Delivery delivered;
  private final List<NetworkCallback> callbacks = new ArrayList<>();
  private final StringBuilder log = new StringBuilder();

  private ScriptedConnectivity(List<Step> steps) {
    this.steps = steps;
    now = steps.get(0);
    if (now.path != null) network = new Network(++networkCount);
    delivered = new Delivery(network, capabilities(), isBlocked);
    write(now);
  }

  /** Creates the networks of a device before the first change of a move. */
  public static ScriptedConnectivity of(Move move) {
    return new ScriptedConnectivity(move.steps);
  }

  /**
   * Creates the networks of a device at the start of a scenario.
   *
   * <p>The command `handover` reads the file. Its trace contains the network and the state of the
   * app at each time.
   *
   * @throws LabException if the command cannot be started, or the file is not a valid scenario
   */
  public static ScriptedConnectivity ofScenario(Path scenario) {
    try {
      var folder = Files.createTempDirectory("handover-");
      try {
        return new ScriptedConnectivity(steps(trace(scenario, folder)));
      } finally {
        try (var files = Files.walk(folder)) {
          for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
        }
      }
    } catch (IOException error) {
      throw new LabException(error.getMessage());
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new LabException("the wait for the trace was interrupted");
    }
  }

  /** Returns the records of a run of the scenario, on a profile that observes the network. */
  private static List<Map<String, Object>> trace(Path scenario, Path folder)
      throws IOException, InterruptedException {
    var output = folder.resolve("output").toFile();
    var traces = folder.resolve("traces");
    var process = new ProcessBuilder(
        Lab.command(), "run", scenario.toString(), "-o", "trace=" + traces)
        .redirectErrorStream(true).redirectOutput(output).start();
    boolean hasEnded = process.waitFor(RUN_SECONDS, TimeUnit.SECONDS);
    if (!hasEnded) process.destroyForcibly().waitFor();
    // A failed expectation is status 1, and concerns the clients of the scenario only.
    if (!hasEnded || process.exitValue() > 1) {
      throw new LabException(Files.readString(output.toPath()));
    }
    List<Map<String, Object>> best = List.of();
    try (var files = Files.walk(traces)) {
      for (var file : files.filter(Files::isRegularFile).sorted().toList()) {
        var records = Files.readAllLines(file).stream().map(Json::object).toList();
        if (records.stream().anyMatch(one -> flags(one) != null)) return records;
        best = records;
      }
    }
    if (best.isEmpty()) throw new LabException("the run of " + scenario + " wrote no trace");
    return best;
  }

  private static Map<?, ?> member(Map<?, ?> record, String key) {
    return record.get(key) instanceof Map<?, ?> map ? map : Map.of();
  }

  /** Returns the flags of a record of the network monitor, or null for other records. */
  private static List<?> flags(Map<String, Object> record) {
    var event = member(record, "event");
    for (var name : List.of("initialRead", "callback")) {
      if (member(event, name).get("flags") instanceof List<?> flags) return flags;
    }
    return null;
  }

  private static List<Step> steps(List<Map<String, Object>> records) {
    var steps = new ArrayList<Step>();
    var now = none(0);
    for (int place = 0; place < records.size(); place++) {
      var record = records.get(place);
      if (!(record.get("at") instanceof Long at)) continue;
      var time = Duration.of(at, ChronoUnit.MICROS);
      var fact = member(record, "world");
      var step = now;
      if (fact.containsKey("deviceMoved")) {
        var path = (String) member(fact, "deviceMoved").get("path");
        // The next report of the monitor shows the kind of this network.
        var report = records.subList(place + 1, records.size()).stream()
            .takeWhile(one -> !member(one, "world").containsKey("deviceMoved"))
            .map(ScriptedConnectivity::flags).filter(Objects::nonNull).findFirst();
        boolean isCellular =
            report.map(one -> one.contains("IsWWAN")).orElse("cellular".equals(path));
        step = new Step(time, path, isCellular, now.isRunning);
      } else if (fact.containsKey("appMoved")) {
        boolean isRunning = !"background".equals(member(fact, "appMoved").get("to"));
        step = new Step(time, now.path, now.isCellular, isRunning);
      }
      if (step == now) continue;
      // The state at the start is one step, although several records describe it.
      if (at == 0) steps.clear();
      steps.add(step);
      now = step;
    }
    if (steps.isEmpty() || !steps.get(0).at.isZero()) steps.add(0, none(0));
    return steps;
  }

  /**
   * Registers a callback for the default network.
   *
   * <p>If there is a default network, the callback is notified about it first.
   */
  public void registerDefaultNetworkCallback(NetworkCallback callback) {
    if (callbacks.contains(callback)) {
      throw new IllegalArgumentException("the callback is registered already");
    }
    callbacks.add(callback);
    if (delivered.network != null) announce(callback);
  }

  /** Ends the notifications of a callback. */
  public void unregisterNetworkCallback(NetworkCallback callback) {
    callbacks.remove(callback);
  }

  /** Returns the default network, or null if there is none. */
  public Network getActiveNetwork() {
    return network;
  }

  /** Returns the capabilities of the default network, or null for another network. */
  public NetworkCapabilities getNetworkCapabilities(Network network) {
    return network != null && network.equals(this.network) ? capabilities() : null;
  }

  /** Returns the link of the default network, or null for another network. */
  public LinkProperties getLinkProperties(Network network) {
    return network != null && network.equals(this.network) ? link() : null;
  }

  /** Blocks or unblocks the app's use of its networks, as the battery saver does. */
  public void setBlocked(boolean blocked) {
    isBlocked = blocked;
    deliver();
  }

  /** Sets whether the default network reaches the Internet, which a captive portal prevents. */
  public void setValidated(boolean validated) {
    isValidated = validated;
    deliver();
  }

  /**
   * Executes everything that is due at the next time of the timeline.
   *
   * @return whether there was anything left to execute
   */
  public boolean advance() {
    if (next == steps.size()) return false;
    var due = steps.get(next).at;
    while (next < steps.size() && steps.get(next).at.equals(due)) execute(steps.get(next++));
    return true;
  }

  /** Executes the rest of the timeline. */
  public void play() {
    while (advance()) {}
  }

  /** Returns the changes until now, one line each. */
  public String timeline() {
    return log.toString();
  }

  private void execute(Step step) {
    if (step.path == null) {
      network = null;
    } else if (!step.path.equals(now.path)) {
      network = new Network(++networkCount);
    }
    now = step;
    write(step);
    deliver();
  }

  /** Notifies an app that runs of what has changed since the last notification. */
  private void deliver() {
    if (!now.isRunning) return;
    var before = delivered;
    delivered = new Delivery(network, capabilities(), isBlocked);
    for (var callback : List.copyOf(callbacks)) {
      if (!Objects.equals(network, before.network)) {
        if (network == null) callback.onLost(before.network);
        else announce(callback);
      } else if (network != null) {
        if (!capabilities().equals(before.capabilities)) {
          callback.onCapabilitiesChanged(network, capabilities());
        }
        if (isBlocked != before.isBlocked) callback.onBlockedStatusChanged(network, isBlocked);
      }
    }
  }

  private void announce(NetworkCallback callback) {
    callback.onAvailable(network);
    callback.onCapabilitiesChanged(network, capabilities());
    callback.onLinkPropertiesChanged(network, link());
    callback.onBlockedStatusChanged(network, isBlocked);
  }

  private NetworkCapabilities capabilities() {
    var has = new HashSet<>(Set.of(NetworkCapabilities.NET_CAPABILITY_INTERNET));
    if (isValidated) has.add(NetworkCapabilities.NET_CAPABILITY_VALIDATED);
    if (!now.isCellular) has.add(NetworkCapabilities.NET_CAPABILITY_NOT_METERED);
    int transport = now.isCellular
        ? NetworkCapabilities.TRANSPORT_CELLULAR : NetworkCapabilities.TRANSPORT_WIFI;
    return new NetworkCapabilities(Set.of(transport), Set.copyOf(has));
  }

  private LinkProperties link() {
    return new LinkProperties(now.isCellular ? "rmnet0" : "wlan0");
  }

  private void write(Step step) {
    var path = step.path == null ? "no network" : step.path + " (number " + network.number + ")";
    log.append(String.format("%8.3f s  %s%s%n",
        step.at.toNanos() / 1e9, path, step.isRunning ? "" : ", the app is suspended"));
  }
}
