package dev.sluice.scheduler.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sluice.api.configuration.RoleSettings;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.quota.Change;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.QuotaEngine;
import dev.sluice.quota.Snapshot;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.supervision.Halt;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.FullTier;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class LedgerSocketIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private static final RoleSettings SETTINGS =
      RoleSettings.parse("batch/job", "ConcurrentAdmission=true");

  @TempDir Path folder;
  private final List<RoleSettings> told = new CopyOnWriteArrayList<>();
  private final QuotaEngine engine = new QuotaEngine(EngineConfiguration.defaults());
  private Path socket = Path.of("");

  @BeforeEach
  void createQueue() {
    socket = folder.resolve("ledger.sock");
    apply(
        Change.upserted(
            ObjectKind.CLUSTER_QUEUE,
            read(
                ClusterQueue.class,
                """
                {'metadata':{'name':'a'},'spec':{'namespaceSelector':{},'resourceGroups':[{
                'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[{'name':'cpu',
                'nominalQuota':1000000}]}]}]}}\
                """)));
  }

  private static <T> T read(Class<T> type, String json) {
    return HubObjects.read(type, json.replace('\'', '"').getBytes(UTF_8));
  }

  private synchronized void apply(Change change) {
    engine.apply(change, NOW);
  }

  private synchronized Snapshot snapshot() {
    return engine.snapshot(NOW);
  }

  private void reserve(String name) {
    apply(
        Change.upserted(
            ObjectKind.WORKLOAD,
            read(
                Workload.class,
                """
                {'metadata':{'namespace':'n','name':'%s','uid':'u-%s','resourceVersion':'7'},
                'spec':{'podSets':[{'name':'main','count':1,'template':{}}]},'status':{
                'admission':{'clusterQueue':'a','podSetAssignments':[{'name':'main','count':1,
                'flavors':{'cpu':'f'},'resourceUsage':{'cpu':'1'}}]},'conditions':[{
                'type':'QuotaReserved','status':'True','reason':'QuotaReserved','message':'',
                'lastTransitionTime':'2026-01-01T12:00:00Z'}]}}\
                """
                    .formatted(name, name))));
  }

  private void free(int i) {
    apply(new Change.Deleted(ObjectKind.WORKLOAD, new ObjectKey("n", "w" + i)));
  }

  private LedgerFollower follow() {
    LedgerFollower follower =
        new LedgerFollower(socket, System::nanoTime, told::add, new Supervisor());
    follower.start();
    return follower;
  }

  @Test
  void tellsWhatIsThereAndThenWhatChanges() throws IOException {
    reserve("first");
    try (LedgerServer server =
            LedgerServer.start(socket, this::snapshot, SETTINGS, new Supervisor());
        LedgerFollower follower = follow()) {
      await().atMost(PATIENCE).until(() -> follower.size() == 1);

      reserve("second");
      await().atMost(PATIENCE).until(() -> follower.size() == 2);
      apply(new Change.Deleted(ObjectKind.WORKLOAD, new ObjectKey("n", "first")));
      await().atMost(PATIENCE).until(() -> follower.size() == 1);

      assertThat(server.readers()).isEqualTo(1);
      assertThat(told).as("the settings of the scheduler").containsExactly(SETTINGS);
      assertThat(follower.fresh())
          .extracting(Entry::workload)
          .as("who is gone counts for nothing any more")
          .containsExactly(new ObjectKey("n", "second"));
      assertThat(follower.breaks()).isZero();
    }
    assertThat(socket).doesNotExist();
  }

  @Test
  void whoFollowsGoesOnWithoutAndFollowsAgain() throws IOException {
    reserve("first");
    try (LedgerFollower follower = follow()) {
      assertThat(follower.isFollowing()).isFalse();
      LedgerServer first = LedgerServer.start(socket, this::snapshot, SETTINGS, new Supervisor());
      await().atMost(PATIENCE).until(follower::isFollowing);

      first.close();
      await().atMost(PATIENCE).until(() -> !follower.isFollowing());
      assertThat(follower.fresh()).isEmpty();
      assertThat(follower.size()).isZero();

      reserve("second");
      try (LedgerServer _ =
          LedgerServer.start(socket, this::snapshot, SETTINGS, new Supervisor())) {
        await().atMost(PATIENCE).until(() -> follower.size() == 2);
        assertThat(follower.breaks()).isEqualTo(1);
      }
    }
  }

  @Test
  void replacesTheSocketOfAKilledProcessAndNothingElse() throws IOException {
    ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    left.bind(UnixDomainSocketAddress.of(socket));
    left.close(); // the file stays, as after a kill

    LedgerServer.start(socket, this::snapshot, SETTINGS, new Supervisor()).close();

    Path file = Files.writeString(folder.resolve("file"), "kept");
    assertThatThrownBy(() -> LedgerServer.start(file, this::snapshot, SETTINGS, new Supervisor()))
        .hasMessageContaining("is no socket");
    assertThat(file).hasContent("kept");
  }

  @FullTier
  @Test
  void aReaderThatDoesNotKeepUpIsLetGoAndNobodyWaitsForIt() throws IOException {
    try (LedgerServer server =
            LedgerServer.start(socket, this::snapshot, SETTINGS, new Supervisor());
        SocketChannel idle = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        LedgerFollower follower = follow()) {
      await().atMost(PATIENCE).until(() -> server.readers() == 2);

      boolean[] there = {false};
      await()
          .pollInterval(Duration.ofMillis(5))
          .atMost(Duration.ofMinutes(2)) // some hundred pauses of the server
          .until(
              () -> {
                IntStream.range(0, 20).forEach(there[0] ? this::free : i -> reserve("w" + i));
                there[0] = !there[0];
                return server.readers() == 1;
              });

      await().atMost(PATIENCE).until(() -> follower.size() == (there[0] ? 20 : 0));
      assertThat(idle.isOpen()).isTrue();
    }
  }

  @Test
  void garbageOnTheSocketIsNotFollowed() throws IOException {
    try (ServerSocketChannel liar = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        LedgerFollower follower =
            new LedgerFollower(socket, System::nanoTime, told::add, new Supervisor())) {
      liar.bind(UnixDomainSocketAddress.of(socket));
      follower.start();
      for (String said : new String[] {"\0\0\0\n", "{\"begin\":1}\n{\"seal\":{}}\n", "no end"}) {
        try (SocketChannel channel = liar.accept()) {
          channel.write(ByteBuffer.wrap(said.getBytes(UTF_8)));
        }
      }
      liar.accept().close(); // it came again after each

      assertThat(follower.isFollowing()).isFalse();
      assertThat(follower.breaks()).isZero();
    }
  }

  @Test
  void aSchedulerThatAcceptsNoConnectionDoesNotMakeItsReaderLookHung() throws IOException {
    AtomicLong ahead = new AtomicLong();
    Supervisor supervisor =
        new Supervisor(new Halt(), InstantSource.system(), () -> System.nanoTime() + ahead.get());
    try (ServerSocketChannel stopped = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        Connections waiting = new Connections();
        LedgerFollower follower =
            new LedgerFollower(socket, System::nanoTime, told::add, supervisor)) {
      stopped.bind(UnixDomainSocketAddress.of(socket), 1);
      waiting.fillUp(socket);
      follower.start();

      for (int i = 0; i < 3; i++) { // the first may come before it tries to connect
        ahead.addAndGet(Duration.ofMinutes(2).toNanos()); // longer than a thread may be silent
        await().atMost(PATIENCE).until(() -> supervisor.health().isGood());
      }
      assertThat(follower.isFollowing()).isFalse();
    }
  }

  /** Connections that nobody has accepted. */
  private static final class Connections implements AutoCloseable {
    /** More than any system lets wait that was asked for one. */
    private static final int MOST = 100;

    private final List<SocketChannel> open = new ArrayList<>();

    /** Until no more may wait there. */
    void fillUp(Path socket) throws IOException {
      while (isOneMoreLetIn(socket)) {
        assertThat(open).hasSizeLessThan(MOST);
      }
    }

    private boolean isOneMoreLetIn(Path socket) throws IOException {
      SocketChannel next = SocketChannel.open(StandardProtocolFamily.UNIX);
      open.add(next);
      next.configureBlocking(false);
      try {
        return next.connect(UnixDomainSocketAddress.of(socket));
      } catch (SocketException e) { // what Linux says where no more may wait
        return false;
      }
    }

    @Override
    public void close() throws IOException {
      for (SocketChannel each : open) {
        each.close();
      }
    }
  }
}
