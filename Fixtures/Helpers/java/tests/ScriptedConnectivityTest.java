package handover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handover.ScriptedConnectivity.LinkProperties;
import handover.ScriptedConnectivity.Move;
import handover.ScriptedConnectivity.Network;
import handover.ScriptedConnectivity.NetworkCallback;
import handover.ScriptedConnectivity.NetworkCapabilities;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScriptedConnectivityTest {
  /** A callback that writes a word for each call. */
  static class Recorder extends NetworkCallback {
    final List<String> calls = new ArrayList<>();

    private void add(String name, Network network) {
      calls.add(name + network.number());
    }

    @Override
    public void onAvailable(Network network) {
      add("available", network);
    }

    @Override
    public void onLost(Network network) {
      add("lost", network);
    }

    @Override
    public void onCapabilitiesChanged(Network network, NetworkCapabilities has) {
      assertTrue(has.hasCapability(NetworkCapabilities.NET_CAPABILITY_INTERNET));
      boolean isCellular = has.hasTransport(NetworkCapabilities.TRANSPORT_CELLULAR);
      assertEquals(!isCellular, has.hasTransport(NetworkCapabilities.TRANSPORT_WIFI));
      assertEquals(
          !isCellular, has.hasCapability(NetworkCapabilities.NET_CAPABILITY_NOT_METERED));
      boolean isValidated = has.hasCapability(NetworkCapabilities.NET_CAPABILITY_VALIDATED);
      add((isCellular ? "cellular" : "wifi") + (isValidated ? "" : "-unvalidated"), network);
    }

    @Override
    public void onLinkPropertiesChanged(Network network, LinkProperties link) {
      add(link.getInterfaceName() + ":", network);
    }

    @Override
    public void onBlockedStatusChanged(Network network, boolean blocked) {
      add(blocked ? "blocked" : "unblocked", network);
    }

    String text() {
      return String.join(" ", calls);
    }
  }

  private static final String WIFI = "available101 wifi101 wlan0:101 unblocked101";
  private static final String CELLULAR = "available101 cellular101 rmnet0:101 unblocked101";
  private static final String THEN_WIFI = " available102 wifi102 wlan0:102 unblocked102";
  private static final String THEN_CELLULAR = " available102 cellular102 rmnet0:102 unblocked102";

  private static String calls(ScriptedConnectivity connectivity) {
    var recorder = new Recorder();
    connectivity.registerDefaultNetworkCallback(recorder);
    connectivity.play();
    return recorder.text();
  }

  private static String calls(Move move) {
    return calls(ScriptedConnectivity.of(move));
  }

  @Test
  void callbacksOfEachMove() {
    assertEquals(WIFI + THEN_CELLULAR, calls(Move.WIFI_TO_CELLULAR));
    assertEquals(CELLULAR + THEN_WIFI, calls(Move.CELLULAR_TO_WIFI));
    assertEquals(WIFI + " lost101" + THEN_WIFI, calls(Move.OFFLINE_AND_BACK));
    assertEquals(WIFI + " lost101" + THEN_WIFI, calls(Move.FLAP));
    assertEquals(CELLULAR + " lost101" + THEN_CELLULAR, calls(Move.CONNECTION_REQUIRED));
    assertEquals(WIFI + THEN_CELLULAR, calls(Move.ASLEEP));
    assertEquals(WIFI + THEN_WIFI, calls(Move.ASLEEP_WITHOUT_CHANGE));
  }

  @Test
  void registration() {
    var connectivity = ScriptedConnectivity.of(Move.OFFLINE_AND_BACK);
    var first = new Recorder();
    connectivity.registerDefaultNetworkCallback(first);
    assertThrows(
        IllegalArgumentException.class, () -> connectivity.registerDefaultNetworkCallback(first));
    assertTrue(connectivity.advance());
    assertNull(connectivity.getActiveNetwork());
    // Without a network, a new callback is not notified.
    var second = new Recorder();
    connectivity.registerDefaultNetworkCallback(second);
    assertEquals("", second.text());
    connectivity.unregisterNetworkCallback(first);
    assertTrue(connectivity.advance());
    assertFalse(connectivity.advance());
    assertEquals(WIFI + " lost101", first.text());
    assertEquals(THEN_WIFI.strip(), second.text());
    var network = connectivity.getActiveNetwork();
    assertEquals(new Network(102), network);
    assertTrue(connectivity.getNetworkCapabilities(network)
        .hasTransport(NetworkCapabilities.TRANSPORT_WIFI));
    assertEquals("wlan0", connectivity.getLinkProperties(network).getInterfaceName());
    assertNull(connectivity.getNetworkCapabilities(new Network(101)));
    assertNull(connectivity.getLinkProperties(null));
    assertEquals("""
           0.000 s  wifi (number 101)
           1.000 s  no network
           9.000 s  wifi (number 102)
        """.indent(0), connectivity.timeline().indent(0));
  }

  @Test
  void blockedNetworks() {
    var connectivity = ScriptedConnectivity.of(Move.WIFI_TO_CELLULAR);
    var recorder = new Recorder();
    connectivity.registerDefaultNetworkCallback(recorder);
    connectivity.setBlocked(true);
    connectivity.setBlocked(true);
    connectivity.play();
    connectivity.setBlocked(false);
    var later = " available102 cellular102 rmnet0:102 blocked102 unblocked102";
    assertEquals(WIFI + " blocked101" + later, recorder.text());
    assertEquals(THEN_CELLULAR.strip(), calls(connectivity));
  }

  @Test
  void aNetworkWithoutInternet() {
    var connectivity = ScriptedConnectivity.of(Move.ASLEEP_WITHOUT_CHANGE);
    var recorder = new Recorder();
    connectivity.registerDefaultNetworkCallback(recorder);
    connectivity.setValidated(false);
    connectivity.setValidated(false);
    connectivity.setValidated(true);
    connectivity.advance();
    // A suspended app is not notified before it continues.
    connectivity.setValidated(false);
    connectivity.play();
    assertEquals(
        WIFI + " wifi-unvalidated101 wifi101"
            + " available102 wifi-unvalidated102 wlan0:102 unblocked102",
        recorder.text());
  }

  @Test
  void aCallbackMayEndItself() {
    var connectivity = ScriptedConnectivity.of(Move.FLAP);
    var recorder = new Recorder() {
      @Override
      public void onLost(Network network) {
        super.onLost(network);
        connectivity.unregisterNetworkCallback(this);
      }
    };
    connectivity.registerDefaultNetworkCallback(recorder);
    connectivity.play();
    assertEquals(WIFI + " lost101", recorder.text());
  }

  private static ScriptedConnectivity scenario(Path folder, String initial, String... entries)
      throws IOException {
    var file = folder.resolve("my.json");
    Files.writeString(file, """
        { "format": 1, "id": "my", "title": "A timeline", "profiles": ["sockets-monitor"],
          "initial": {%s}, "hosts": { "api.example:443": {} },
          "timeline": [
            { "at": "0s", "call": { "id": "a", "host": "api.example:443", "kind": "streaming" } },
            %s
          ],
          "expect": [ { "call": "a", "status": "OK" } ] }
        """.formatted(initial, String.join(",\n", entries)));
    return ScriptedConnectivity.ofScenario(file);
  }

  @Test
  void aScenarioDrivesTheNetworks(@TempDir Path folder) throws IOException {
    var offlineAndBack = scenario(folder, "\"flags\": [\"Reachable\"]",
        "{ \"at\": \"1s\", \"flags\": [] }", "{ \"at\": \"9s\", \"flags\": [\"Reachable\"] }");
    assertEquals(WIFI + " lost101" + THEN_WIFI, calls(offlineAndBack));
    var asleep = scenario(folder, "\"flags\": [\"Reachable\", \"IsWWAN\"]",
        "{ \"at\": \"1s\", \"app\": \"background\" }",
        "{ \"at\": \"2s\", \"flags\": [] }", "{ \"at\": \"3s\", \"flags\": [\"Reachable\"] }",
        "{ \"at\": \"4s\", \"app\": \"foreground\" }");
    assertEquals(CELLULAR + THEN_WIFI, calls(asleep));
    var required = scenario(folder, "\"flags\": [\"Reachable\", \"IsWWAN\"]",
        "{ \"at\": \"1s\", \"flags\": [\"Reachable\", \"IsWWAN\", \"ConnectionRequired\"] }",
        "{ \"at\": \"3s\", \"flags\": [\"Reachable\", \"IsWWAN\"] }");
    assertEquals(CELLULAR + " lost101" + THEN_CELLULAR, calls(required));
    var offline = scenario(folder, "\"flags\": []",
        "{ \"at\": \"1s\", \"flags\": [\"Reachable\", \"IsWWAN\"] }");
    assertEquals(CELLULAR, calls(offline));
  }

  @ParameterizedTest
  @CsvSource({"'{', my.json", "'', my.json"})
  void anInvalidScenarioIsAnError(String text, String named, @TempDir Path folder)
      throws IOException {
    var file = folder.resolve("my.json");
    Files.writeString(file, text);
    var error =
        assertThrows(LabException.class, () -> ScriptedConnectivity.ofScenario(file));
    assertTrue(error.getMessage().contains(named), error.getMessage());
    assertThrows(
        LabException.class, () -> ScriptedConnectivity.ofScenario(folder.resolve("none.json")));
  }
}
