import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Implements the backend protocol in real time for clients under test. */
final class Adapter {
  /** A client, whose methods other than `connect` do not wait for the network. */
  interface Client {
    /** Connects to an address and port, and waits for the result. */
    void connect(String address);

    void start(Call call);

    void send(Call call, int bytes);

    /** Ends the requests of a call. */
    void finish(Call call);

    /** Ends a call early, after its end was reported. */
    void cancel(Call call);
  }

  /** A call of the user. */
  static final class Call {
    final String id, kind;
    /** The time of the server's answer in microseconds, or "null" for never. */
    final String takes;
    /** The address and port of the server, or null for an unknown host. */
    final String address;
    private final AtomicBoolean hasEnded = new AtomicBoolean();

    Call(JsonObject started, JsonObject place) {
      id = started.get("id").getAsString();
      kind = started.get("kind").getAsString();
      takes = started.get("takes").toString();
      address = place == null ? null : addressOf(place);
    }

    /** Returns whether the user sends messages after the start. */
    boolean sends() {
      return kind.equals("client-streaming") || kind.equals("bidi");
    }

    /** Reports a message of the server. */
    void deliver() {
      if (!hasEnded.get()) report("deliver", new JsonPrimitive(id));
    }

    /** Reports the end, and returns whether this is the first report. */
    boolean end(String status, String message) {
      if (!hasEnded.compareAndSet(false, true)) return false;
      var ended = new JsonObject();
      ended.addProperty("call", id);
      ended.addProperty("status", status);
      ended.addProperty("message", message);
      report("ended", ended);
      return true;
    }
  }

  /** Standard output is reserved for the protocol, so other output goes to standard error. */
  private static final PrintStream OUTPUT = System.out;

  private final Client client;
  private final ScheduledExecutorService deadlines =
      Executors.newSingleThreadScheduledExecutor(Adapter::daemon);
  private final Map<String, Call> calls = new HashMap<>();
  private JsonObject hosts = new JsonObject();

  private Adapter(Client client) {
    this.client = client;
  }

  /** Executes commands until `stop` or the end of the input. */
  static void serve(String name, Client client) throws IOException {
    System.setOut(System.err);
    var adapter = new Adapter(client);
    var lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      var command = JsonParser.parseString(line).getAsJsonObject();
      String word = command.get("cmd").getAsString();
      if (word.equals("stop")) break;
      if (word.equals("start")) {
        write(JsonParser.parseString("{\"version\":1,\"role\":\"client\",\"time\":\"real\","
            + "\"capabilities\":[\"streaming\"],\"name\":\"" + name + "\"}"));
        continue;
      }
      var answer = new JsonObject();
      answer.add("seq", command.get("seq"));
      try {
        adapter.execute(word, command);
        answer.add("out", new JsonArray());
      } catch (RuntimeException error) {
        answer.addProperty("error", word + ": " + error);
      }
      write(answer);
    }
    System.exit(0);
  }

  private void execute(String word, JsonObject command) {
    if (word.equals("open")) {
      hosts = command.getAsJsonObject("hosts");
      hosts.keySet().forEach(name -> client.connect(addressOf(hosts.getAsJsonObject(name))));
    }
    if (!word.equals("event")) return;
    var event = command.getAsJsonObject("event");
    if (event.has("call")) {
      start(event.getAsJsonObject("call"), command.get("now").getAsLong());
    } else if (event.has("send")) {
      var send = event.getAsJsonObject("send");
      client.send(calls.get(send.get("call").getAsString()), send.get("bytes").getAsInt());
    } else if (event.has("finish")) {
      client.finish(calls.get(event.get("finish").getAsString()));
    } else if (event.has("cancel")) {
      end(calls.get(event.get("cancel").getAsString()), "CANCELLED", "Cancelled by the user");
    } else {
      throw new IllegalArgumentException("unknown action of the user: " + event);
    }
  }

  private void start(JsonObject started, long now) {
    var call = new Call(started, hosts.getAsJsonObject(started.get("host").getAsString()));
    calls.put(call.id, call);
    if (call.address == null) {
      // The scenario names a host without a server.
      call.end("UNAVAILABLE", "there is no such host");
      return;
    }
    var deadline = started.get("deadline");
    if (!deadline.isJsonNull()) {
      deadlines.schedule(() -> end(call, "DEADLINE_EXCEEDED", "Deadline Exceeded"),
          deadline.getAsLong() - now, TimeUnit.MICROSECONDS);
    }
    client.start(call);
  }

  private void end(Call call, String status, String message) {
    if (call.end(status, message)) client.cancel(call);
  }

  private static String addressOf(JsonObject place) {
    return place.get("address").getAsString() + ":" + place.get("port").getAsInt();
  }

  private static Thread daemon(Runnable work) {
    var thread = new Thread(work);
    thread.setDaemon(true);
    return thread;
  }

  private static void report(String name, JsonElement value) {
    var event = new JsonObject();
    event.add(name, value);
    var out = new JsonArray();
    out.add(event);
    var line = new JsonObject();
    line.add("out", out);
    write(line);
  }

  private static synchronized void write(JsonElement line) {
    OUTPUT.println(line);
    OUTPUT.flush();
  }
}
