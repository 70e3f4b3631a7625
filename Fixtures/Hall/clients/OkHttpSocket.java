import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;

/** Receives messages with OkHttp. Usage: OkHttpSocket [remedy] */
class OkHttpSocket extends WebSocketListener {
  static OkHttpClient.Builder builder = new OkHttpClient.Builder();
  static OkHttpClient client;

  static void connect() {
    var request = new Request.Builder().url("ws://api.example/").build();
    client.newWebSocket(request, new OkHttpSocket());
  }

  public void onMessage(WebSocket socket, String text) {
    System.out.println(text);
  }

  public void onFailure(WebSocket socket, Throwable error, Response response) {
    System.out.println(error);
    try {
      Thread.sleep(200);
    } catch (InterruptedException interrupted) {
      return;
    }
    connect();
  }

  public static void main(String[] arguments) {
    if (arguments.length > 0) {
      builder.pingInterval(2, TimeUnit.SECONDS);
    }
    client = builder.build();
    connect();
  }
}
