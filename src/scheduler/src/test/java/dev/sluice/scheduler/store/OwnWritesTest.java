package dev.sluice.scheduler.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.WatchTimes;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.cluster.view.WatchedView;
import dev.sluice.json.tree.Keep;
import dev.sluice.scheduler.faults.AnyApiServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A plan that is made right after a write must not write the same again. */
@Timeout(120)
class OwnWritesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static String pod(int version) {
    return """
    {"metadata":{"namespace":"n","name":"p","uid":"u","resourceVersion":"%d",
    "ownerReferences":[{"controller":true,"uid":"owner"}]}}\
    """
        .formatted(version);
  }

  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void areSeenAmongTheObjectsOfAnOwnerBeforeTheWatchShowsThem(@TempDir Path folder)
      throws IOException {
    String list = "{\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[%s]}".formatted(pod(3));
    try (AnyApiServer server = new AnyApiServer(list, "");
        Connection connection = Connection.to(server.kubeconfig(folder));
        WatchedView view =
            new WatchedView(
                connection,
                List.of(
                    new WatchedKind(
                        new GroupVersionKind("", "v1", "Pod"),
                        Optional.of("pods"),
                        Keep.ALL,
                        false)),
                WatchTimes.EAGER,
                new Random(1))) {
      view.start();
      await().atMost(PATIENCE).until(() -> view.knows(Kinds.POD));
      Objects objects = new Objects(view);

      objects.wrote(Kinds.POD, json(pod(7)));

      assertThat(objects.controlledBy(Kinds.POD, "owner")).containsExactly(json(pod(7)));
    }
  }
}
