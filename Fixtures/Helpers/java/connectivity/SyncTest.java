import static org.junit.jupiter.api.Assertions.assertEquals;

import handover.ScriptedConnectivity;
import handover.ScriptedConnectivity.Move;
import handover.ScriptedConnectivity.Network;
import handover.ScriptedConnectivity.NetworkCallback;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SyncTest {
  /** The monitor of an app: it keeps one connection, which belongs to one network. */
  static class Sync extends NetworkCallback {
    Network connectedOver;

    @Override
    public void onAvailable(Network network) {
      disconnect(); // the remedy
      if (connectedOver == null) connectedOver = network;
    }

    @Override
    public void onLost(Network network) {
      disconnect();
    }

    private void disconnect() {
      connectedOver = null;
    }
  }

  @ParameterizedTest
  @EnumSource(Move.class)
  void usesTheDefaultNetwork(Move move) {
    var connectivity = ScriptedConnectivity.of(move);
    var sync = new Sync();
    connectivity.registerDefaultNetworkCallback(sync);
    connectivity.play();
    assertEquals(connectivity.getActiveNetwork(), sync.connectedOver, connectivity::timeline);
  }
}
