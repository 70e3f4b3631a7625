import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;

/**
 * A client under test that uses OkHttp, with one WebSocket for all calls to a host.
 *
 * <p>usage: OkHttp [--ping] (pings after one second)
 */
final class OkHttp implements Adapter.Client {
  /** A WebSocket and the calls that it carries. */
  private static final class Channel extends WebSocketListener {
    final Map<String, Adapter.Call> calls = new ConcurrentHashMap<>();
    final CountDownLatch isSettled = new CountDownLatch(1);
    WebSocket socket;
    volatile boolean isLost;

    @Override
    public void onOpen(WebSocket socket, Response response) {
      isSettled.countDown();
    }

    @Override
    public void onMessage(WebSocket socket, String line) {
      var words = line.split(" ");
      var call = calls.get(words[1]);
      // Messages of a call that has ended are dropped.
      if (call == null) return;
      if (words[0].equals("message")) {
        call.deliver();
      } else {
        calls.remove(call.id);
        call.end("OK", "");
      }
    }

    @Override
    public void onClosing(WebSocket socket, int code, String reason) {
      lose("the server closed the WebSocket: " + code);
    }

    @Override
    public void onFailure(WebSocket socket, Throwable error, Response response) {
      lose(error.toString());
    }

    private void lose(String message) {
      isLost = true;
      isSettled.countDown();
      calls.values().forEach(call -> call.end("UNAVAILABLE", message));
    }
  }

  private final OkHttpClient http;
  private final Map<String, Channel> channels = new HashMap<>();

  private OkHttp(OkHttpClient http) {
    this.http = http;
  }

  /** Returns the channel of a host, and replaces one that was lost. */
  private synchronized Channel channel(String address) {
    var known = channels.get(address);
    if (known != null && !known.isLost) return known;
    var channel = new Channel();
    var request = new Request.Builder().url("ws://" + address + "/").build();
    channel.socket = http.newWebSocket(request, channel);
    channels.put(address, channel);
    return channel;
  }

  @Override
  public void connect(String address) {
    try {
      // A connection that fails is replaced by the first call.
      channel(address).isSettled.await(10, TimeUnit.SECONDS);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void start(Adapter.Call call) {
    var channel = channel(call.address);
    channel.calls.put(call.id, call);
    channel.socket.send("start " + call.id + " " + call.kind + " " + call.takes);
    // The channel may have been lost before it knew the call.
    if (channel.isLost) call.end("UNAVAILABLE", "the WebSocket was lost");
  }

  @Override
  public void send(Adapter.Call call, int bytes) {
    channel(call.address).socket.send("send " + call.id);
  }

  @Override
  public void finish(Adapter.Call call) {
    channel(call.address).socket.send("finish " + call.id);
  }

  @Override
  public void cancel(Adapter.Call call) {
    channel(call.address).calls.remove(call.id);
  }

  public static void main(String[] arguments) throws IOException {
    var builder = new OkHttpClient.Builder();
    boolean hasPing = arguments.length > 0 && arguments[0].equals("--ping");
    if (hasPing) builder.pingInterval(1, TimeUnit.SECONDS);
    Adapter.serve(hasPing ? "okhttp-ping" : "okhttp", new OkHttp(builder.build()));
  }
}
