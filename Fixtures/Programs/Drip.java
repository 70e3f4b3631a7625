import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** Reads a stream with the HTTP client of the JDK and without a timeout. Usage: Drip URL */
final class Drip {
  public static void main(String[] arguments) throws Exception {
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    var request = HttpRequest.newBuilder(URI.create(arguments[0])).build();
    client.send(request, BodyHandlers.ofLines()).body().forEach(System.out::println);
  }
}
