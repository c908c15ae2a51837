package dev.sluice.scheduler.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sluice.cluster.api.Connection;
import dev.sluice.supervision.Supervisor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
@SuppressWarnings("NullAway.Init") // set before each test
class LeadershipIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final LeaseSettings SETTINGS =
      new LeaseSettings(
          "home",
          "lease",
          "me",
          null,
          Duration.ofSeconds(90),
          Duration.ofSeconds(80),
          Duration.ofMillis(20));

  @TempDir private Path folder;
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
    Leadership leadership =
        new Leadership(
            connection,
            SETTINGS,
            InstantSource.system(),
            System::nanoTime,
            new Leadership.Listener() {
              @Override
              public void won() {}

              @Override
              public void lost() {}
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
  void theLeaseOfAnotherReplicaStays() {
    server.put("other");
    try (Leadership leadership = started()) {
      await().atMost(PATIENCE).until(() -> server.reads() > 2);
      assertThat(leadership.isLeader()).isFalse();
    }

    assertThat(server.holder()).isEqualTo("other");
  }
}
