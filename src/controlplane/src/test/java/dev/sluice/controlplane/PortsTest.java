package dev.sluice.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PortsTest {
  @Test
  void portsAreDifferentAndNoneIsOneThatSystemsGiveToOutgoingConnections() {
    List<Integer> ports = Ports.free(200);

    assertThat(ports).doesNotHaveDuplicates().allMatch(port -> 1024 < port && port < 32_768);
    assertThat(Ports.free()).isNotIn(ports);
  }

  @Test
  void blocksAreHeldByOneEachAndWithoutAFreeOneAnyPortWillDo(@TempDir Path folder)
      throws IOException {
    List<PortBlock> blocks =
        Stream.generate(() -> PortBlock.claim(folder)).limit(PortBlock.BLOCKS).toList();

    assertThat(blocks).extracting(PortBlock::first).doesNotHaveDuplicates();
    assertThat(blocks).extracting(PortBlock::count).containsOnly(PortBlock.SIZE);
    assertThat(PortBlock.claim(folder).lock()).isNull();

    for (PortBlock block : blocks) {
      Objects.requireNonNull(block.lock()).acquiredBy().close();
    }
  }

  @Test
  void aPortThatIsTakenIsNotAnswered() throws IOException {
    int next = Ports.free() + 1;

    try (var taken = new ServerSocket(next, 1, InetAddress.getLoopbackAddress())) {
      assertThat(Ports.free(3)).doesNotContain(taken.getLocalPort());
    }
  }
}
