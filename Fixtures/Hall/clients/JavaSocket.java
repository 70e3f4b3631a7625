import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Receives messages with the JDK's WebSocket. Usage: JavaSocket [remedy] */
class JavaSocket implements WebSocket.Listener {
  volatile long heard = System.nanoTime();

  public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
    heard = System.nanoTime();
    System.out.println(data);
    return WebSocket.Listener.super.onText(socket, data, last);
  }

  public void onError(WebSocket socket, Throwable error) {
    System.out.println(error);
  }

  public static void main(String[] arguments) throws Exception {
    var builder = HttpClient.newHttpClient().newWebSocketBuilder();
    while (true) {
      var listener = new JavaSocket();
      try {
        var socket = builder.buildAsync(URI.create("ws://api.example/"), listener).join();
        while (!socket.isInputClosed()) {
          Thread.sleep(200);
          if (arguments.length > 0 && System.nanoTime() - listener.heard > 3e9) socket.abort();
        }
      } catch (CompletionException error) {
        System.out.println(error);
      }
      Thread.sleep(200);
    }
  }
}
