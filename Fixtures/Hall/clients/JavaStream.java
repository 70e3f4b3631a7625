import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Reads a stream with the JDK's HttpClient. Usage: JavaStream [remedy] */
class JavaStream {
  public static void main(String[] arguments) throws Exception {
    var reader = Executors.newCachedThreadPool();
    var client = HttpClient.newHttpClient();
    var request = HttpRequest.newBuilder(URI.create("http://api.example/drip")).build();
    while (true) {
      try (var body = client.send(request, BodyHandlers.ofInputStream()).body()) {
        var lines = new BufferedReader(new InputStreamReader(body));
        while (true) {
          var line = reader.submit(lines::readLine);
          System.out.println(
              arguments.length > 0 ? line.get(3, TimeUnit.SECONDS) : line.get());
        }
      } catch (Exception error) {
        System.out.println(error);
      }
      Thread.sleep(200);
    }
  }
}
