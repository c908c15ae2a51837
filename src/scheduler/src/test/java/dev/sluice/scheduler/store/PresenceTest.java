package dev.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.json.tree.Keep;
import dev.sluice.scheduler.faults.AnyApiServer;
import dev.sluice.scheduler.store.Objects.Presence;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A view that has listed two pods at version 5 and seen the end of one of them at version 9, and
 * objects that somebody else tells us of.
 */
@Timeout(120)
class PresenceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private static Path folder;
  private static AnyApiServer server;
  private static Connection connection;
  private static WatchedView view;

  @BeforeAll
  static void see() throws IOException {
    String list =
        "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[%s,%s]}"
            .formatted(pod("there", "u1", 3), pod("gone", "u2", 4));
    server =
        new AnyApiServer(
            list, "{\"type\":\"DELETED\",\"object\":%s}\n".formatted(pod("gone", "u2", 9)));
    connection = Connection.to(server.kubeconfig(folder));
    view = view();
    view.start();
    await().atMost(PATIENCE).until(() -> view.reached(Kinds.POD) == 9);
  }

  @AfterAll
  static void close() {
    view.close();
    connection.close();
    server.close();
  }

  private static WatchedView view() {
    return new WatchedView(
        connection,
        List.of(
            new WatchedKind(
                new GroupVersionKind("", "v1", "Pod"), Optional.of("pods"), Keep.ALL, false)),
        WatchTimes.EAGER,
        new Random(1));
  }

  private static String pod(String name, String uid, int version) {
    return """
    {"metadata":{"namespace":"n","name":"%s","uid":"%s","resourceVersion":"%d"}}\
    """
        .formatted(name, uid, version);
  }

  private static Presence presence(WatchedView seen, String name, String uid, int version)
      throws JsonProcessingException {
    return new Objects(seen)
        .presence(Kinds.POD, new ObjectMapper().readTree(pod(name, uid, version)));
  }

  @ParameterizedTest(name = "{0} with uid {1} at version {2}: {3}")
  @CsvSource({
    "there, u1,  3, SHOWN",
    "there, u1, 12, SHOWN", // at whatever version
    "there, u0,  2, GONE", // its predecessor
    "there, u3, 12, TO_COME", // its successor
    "gone,  u2,  4, GONE",
    "gone,  u2,  9, GONE",
    "gone,  u4, 10, TO_COME", // made again since
    "other, u5,  9, GONE", // made and deleted between two lists
    "other, u5, 10, TO_COME",
  })
  void anObjectIsShownGoneOrToComeByItsUidAndVersion(
      String name, String uid, int version, Presence presence) throws JsonProcessingException {
    assertThat(presence(view, name, uid, version)).isEqualTo(presence);
  }

  @Test
  void beforeAViewHasSeenAnythingEveryObjectIsToCome() throws JsonProcessingException {
    try (WatchedView blind = view()) {
      assertThat(presence(blind, "there", "u1", 3)).isEqualTo(Presence.TO_COME);
    }
  }
}
