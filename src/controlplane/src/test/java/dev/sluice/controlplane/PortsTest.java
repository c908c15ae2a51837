package dev.sluice.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortsTest {
  @Test
  void portsAreDifferentAndNoneIsOneThatSystemsGiveToOutgoingConnections() {
    List<Integer> ports = Ports.free(200);

    assertThat(ports).doesNotHaveDuplicates().allMatch(port -> 1024 < port && port < 32_768);
    assertThat(Ports.free()).isNotIn(ports);
  }

  @Test
  void aPortThatIsTakenIsNotAnswered() throws IOException {
    int next = Ports.free() + 1;

    try (var taken = new ServerSocket(next, 1, InetAddress.getLoopbackAddress())) {
      assertThat(Ports.free(3)).doesNotContain(taken.getLocalPort());
    }
  }
}
