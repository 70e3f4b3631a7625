import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import handover.Lab;
import handover.LabExtension;
import handover.LabOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LabExtension.class)
class PollTest {
  /** The client: it queries a server five times per second. */
  static class Poll {
    public static void main(String[] arguments) throws InterruptedException {
      var client = HttpClient.newHttpClient();
      var request = HttpRequest.newBuilder(URI.create("http://api.example/"))
          .timeout(Duration.ofSeconds(3)) // the remedy
          .build();
      while (true) {
        try {
          client.send(request, BodyHandlers.discarding());
        } catch (IOException error) {
          System.out.println("lost: " + error);
        }
        Thread.sleep(200);
      }
    }
  }

  @Test
  @LabOptions(network = "wifi")
  void survivesAMove(Lab lab) {
    var client = lab.run(Poll.class);
    lab.waitForData();
    lab.move("cellular");
    var got = lab.recovery(Duration.ofSeconds(10));
    assertEquals(Lab.Verdict.RECOVERS, got.verdict());
    assertTrue(got.outage().get().attempts() >= 1);
    client.waitForOutput("lost");
  }
}
