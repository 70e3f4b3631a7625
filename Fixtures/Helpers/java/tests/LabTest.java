package handover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LabExtension.class)
class LabTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** A client that waits for a stream without a limit. */
  static class Patient {
    public static void main(String[] arguments) throws Exception {
      try (var stream = URI.create(arguments[0]).toURL().openStream()) {
        while (stream.read() >= 0) {}
      }
    }
  }

  private static Lab.Program startPatient(Lab lab) {
    return lab.run(Patient.class, "http://api.example/drip");
  }

  @Test
  @LabOptions(network = "cellular")
  void patientClientGetsNoData(Lab lab) {
    startPatient(lab);
    assertEquals(Lab.Verdict.NO_OUTAGE, lab.recovery(SECOND).verdict());
    lab.waitForData();
    lab.move("wifi");
    var got = lab.recovery(Duration.ofSeconds(2));
    assertEquals(Lab.Verdict.NO_DATA, got.verdict());
    assertEquals(0, got.outage().get().attempts());
    lab.move("none");
    assertEquals(Lab.Verdict.NO_NETWORK, lab.recovery(SECOND).verdict());
  }

  @Test
  void clientThatEnds(Lab lab) {
    var client = startPatient(lab);
    lab.waitForData();
    lab.move("kill");
    assertEquals(Lab.Verdict.ENDED, lab.recovery(Duration.ofMinutes(1)).verdict());
    assertEquals(Optional.of(1L), client.waitForEnd().status());
  }

  private static Lab.Outage outage(Integer recovers, Integer delay, String doubt, String end) {
    return new Lab.Outage(
        SECOND, SECOND, Optional.ofNullable(recovers).map(Duration::ofSeconds),
        Optional.ofNullable(delay).map(Duration::ofSeconds), 0, SECOND.multipliedBy(2),
        Optional.ofNullable(doubt), Optional.ofNullable(end));
  }

  @Test
  void verdictsFollowFromTheOutage() {
    assertEquals(Optional.of(Lab.Verdict.RECOVERS), Lab.verdict(outage(9, 1, null, null), SECOND));
    assertEquals(Optional.of(Lab.Verdict.LATE), Lab.verdict(outage(9, 2, null, null), SECOND));
    assertEquals(Optional.of(Lab.Verdict.LATE), Lab.verdict(outage(9, null, null, null), SECOND));
    assertEquals(
        Optional.of(Lab.Verdict.ENDED), Lab.verdict(outage(null, null, null, "status 1"), SECOND));
    var offline = outage(null, null, "no-network", null);
    assertEquals(Optional.of(Lab.Verdict.NO_NETWORK), Lab.verdict(offline, SECOND));
    var silent = outage(null, null, "silent-before", null);
    assertEquals(Optional.empty(), Lab.verdict(silent, SECOND));
    var watched = outage(null, null, null, null);
    assertEquals(Optional.of(Lab.Verdict.NO_DATA), Lab.verdict(watched, SECOND));
    assertEquals(Optional.empty(), Lab.verdict(watched, SECOND.multipliedBy(2)));
  }

  @Test
  @LabOptions(condition = "wifi:delay=40ms", until = "5min")
  void programs(Lab lab) {
    lab.quality("wifi:delay=80ms");
    var state =
        lab.run(List.of("sh", "-c", "echo \"$A\"; exit 7"), Map.of("A", "\"ä\\\t")).waitForEnd();
    assertEquals(Optional.of(7L), state.status());
    assertEquals("\"ä\\\t\n", state.output());
    var endless = lab.run("sleep", "3600");
    assertTrue(endless.state().running());
    endless.stop();
    assertFalse(endless.state().running());
  }

  private static void expectError(String text, Runnable body) {
    var error = assertThrows(Throwable.class, body::run);
    assertTrue(error.getMessage().contains(text), error.getMessage());
  }

  @Test
  void mistakesAreErrorsAndTheLabContinues(Lab lab) {
    expectError("unknown move \"mars\"", () -> lab.move("mars"));
    expectError("invalid condition", () -> lab.quality("wifi:slow"));
    expectError("no-such-program", () -> lab.run("no-such-program"));
    expectError(
        "waited 0 ms for nothing", () -> lab.waitUntil("nothing", Duration.ZERO, seen -> false));
    lab.run("sh", "-c", "echo hello").waitForOutput("hello");
    lab.move("hotspot");
    assertTrue(lab.report().contains(" s  hotspot\n"), lab.report());
    assertTrue(lab.report().contains("hello"), lab.report());
  }

  @Test
  @LabOptions(until = "1s")
  void timeOver(Lab lab) {
    var forever = Duration.ofMinutes(2);
    expectError(
        "the time of --until is over", () -> lab.waitUntil("the end", forever, seen -> false));
    expectError("the lab has ended", lab::observe);
    expectError("the lab has ended", lab::observe);
  }

  @LabOptions(server = "echo broken; exit 1")
  private static final class Broken {}

  @Test
  void serverThatFails(Lab lab) {
    var error = assertThrows(
        LabException.class, () -> new Lab(Broken.class.getAnnotation(LabOptions.class)));
    assertTrue(error.getMessage().contains("broken"), error.getMessage());
    assertFalse(error instanceof LabException.Unavailable);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "", "{", "[]", "{} 1", "{\"a\"}", "{\"a\":}", "{\"a\":1.5}", "{\"a\":\"\\x\"}",
    "{\"a\":\"\\u12", "{\"a\":\"", "{\"a\":1,}", "{\"a\":nul}"})
  void invalidJson(String text) {
    assertThrows(LabException.class, () -> Json.object(text));
    assertThrows(LabException.class, () -> Json.object("{\"a\":" + "[".repeat(100_000)));
  }

  @Test
  void json() {
    var value =
        Json.object(" { \"a\" : [1, -2, true, false, null, {}], \"b\":\"\\u00e9\\n\\/\" } ");
    assertEquals("é\n/", value.get("b"));
    assertEquals("[1,-2,true,false,null,{}]", Json.text(value.get("a")));
  }
}
