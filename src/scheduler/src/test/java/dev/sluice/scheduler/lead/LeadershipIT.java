package dev.sluice.scheduler.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cluster.api.Connection;
import dev.sluice.supervision.Supervisor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@SuppressWarnings("NullAway.Init") // set before each test
class LeadershipIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LONG = Duration.ofSeconds(80);
  private static final Duration SHORT = Duration.ofMillis(500);

  @TempDir private Path folder;
  private final AtomicInteger losses = new AtomicInteger();
  private LeaseServer server;
  private Connection connection;

  @BeforeEach
  void open() throws IOException {
    server = new LeaseServer();
    connection = Connection.to(server.kubeconfig(folder));
  }

  @AfterEach
  void close() {
    connection.close();
    server.close();
  }

  private Leadership started() {
    return started(LONG);
  }

  private Leadership started(Duration deadline) {
    LeaseSettings settings =
        new LeaseSettings(
            "home", "lease", "me", null, LONG.plusSeconds(10), deadline, Duration.ofMillis(20));
    Leadership leadership =
        new Leadership(
            connection,
            settings,
            InstantSource.system(),
            System::nanoTime,
            new Leadership.Listener() {
              @Override
              public void won() {}

              @Override
              public void lost() {
                losses.incrementAndGet();
              }
            },
            new Supervisor());
    leadership.start();
    return leadership;
  }

  @Test
  void aLeaderThatEndsReleasesTheLease() {
    try (Leadership leadership = started()) {
      await().atMost(PATIENCE).until(leadership::isLeader);
      assertThat(server.holder()).isEqualTo("me");
    }

    assertThat(server.holder()).isEmpty();
  }

  @Test
  void aLeaderThatEndsDuringARenewalReleasesTheLease() {
    try (Leadership leadership = started()) {
      await().atMost(PATIENCE).until(leadership::isLeader);
      server.keepAnswerOfNextWrite();
      await().atMost(PATIENCE).until(server::keepsAnswer);
    }

    assertThat(server.holder()).isEmpty();
  }

  @Test
  void oneThatEndsBeforeItKnowsThatItLeadsReleasesTheLease() {
    server.keepAnswerOfNextWrite();
    try (Leadership leadership = started()) {
      await().atMost(PATIENCE).until(server::keepsAnswer);
      assertThat(leadership.isLeader()).isFalse();
    }

    assertThat(server.holder()).isEmpty();
  }

  @Test
  void oneThatLostTheLeaseLetsItRunOut() {
    try (Leadership leadership = started(SHORT)) {
      await().atMost(PATIENCE).until(() -> leadership.isLeader() || losses.get() == 1);
      server.refuseWrites(true);
      await().atMost(PATIENCE).until(() -> losses.get() == 1);
      server.refuseWrites(false);
    }

    assertThat(server.holder()).isEqualTo("me");
  }

  @Test
  void oneWhoseWriteWasCutOffLetsTheLeaseRunOut() {
    try (Leadership leadership = started()) {
      await().atMost(PATIENCE).until(leadership::isLeader);
      leadership.keep();
    }

    assertThat(server.holder()).isEqualTo("me");
  }

  @Test
  void aLeaderThatSeesAnotherHolderStopsBeforeItsTermIsOver() {
    try (Leadership leadership = started()) {
      await().atMost(PATIENCE).until(leadership::isLeader);
      server.put("other");
      await().atMost(PATIENCE).until(() -> losses.get() == 1);
      assertThat(leadership.isLeader()).isFalse();
    }

    assertThat(server.holder()).isEqualTo("other");
  }

  @Test
  void theLeaseOfAnotherReplicaStays() {
    server.put("other");
    try (Leadership leadership = started()) {
      await().atMost(PATIENCE).until(() -> server.reads() > 2);
      assertThat(leadership.isLeader()).isFalse();
    }

    assertThat(server.holder()).isEqualTo("other");
  }
}
