package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.amount.Usage;
import dev.sluice.see.history.Held;
import dev.sluice.see.history.RunTimeHints;
import dev.sluice.see.history.Step;
import dev.sluice.see.history.Subject;
import dev.sluice.see.history.Transition;
import dev.sluice.server.reply.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log for {@code admin}, and for {@code user}, who sees Workloads of namespace a only. */
@SuppressWarnings("NullAway.Init") // set before each test
class LogAnswersTest {
  @TempDir private Path folder;
  private final LiveQueues queues = new LiveQueues();
  private Asked asked;

  @BeforeEach
  void aPreemptionBetweenNamespaces() throws IOException {
    queues.namespace("a");
    queues.namespace("secret");
    queues.flavor("f");
    queues.clusterQueue("cq", 8, "");
    queues.localQueue("a", "team", "cq");
    asked = new Asked(queues, folder, Runnable::run);
    add(0, Step.QUEUED, "a", "mine", "", "", "");
    add(1, Step.RESERVED, "a", "mine", "cq", "", "");
    add(2, Step.QUEUED, "secret", "hidden", "", "", "");
    add(3, Step.EVICTED, "a", "mine", "cq", "Preempted", "uid-hidden");
    add(4, Step.RESERVED, "secret", "hidden", "cq", "", "");
  }

  @AfterEach
  void end() {
    asked.close();
  }

  private void add(
      int minute,
      Step step,
      String namespace,
      String name,
      String queue,
      String reason,
      String by) {
    var subject =
        new Subject(
            "uid-" + name, new ObjectKey(namespace, name), "team", "", "", 0, RunTimeHints.NONE);
    Held held =
        queue.isEmpty()
            ? null
            : new Held(queue, LiveQueues.NOW, LiveQueues.NOW, null, Usage.of(Map.of()));
    asked.log.add(
        new Transition(
            LiveQueues.NOW.plusSeconds(60L * minute),
            step,
            subject,
            LiveQueues.NOW,
            held,
            reason,
            by));
  }

  private JsonNode ok(String user, String path) {
    Reply reply = asked.get(user, path);
    assertThat(reply.status()).as(new String(reply.body(), UTF_8)).isEqualTo(200);
    return Asked.json(reply);
  }

  @Test
  void anAdministratorSeesWhoPreemptedWhom() {
    JsonNode log = ok("admin", "clusterlog");

    assertThat(log.path("items").findValuesAsText("step"))
        .containsExactly("Reserved", "Evicted", "Queued", "Reserved", "Queued");
    JsonNode evicted = log.at("/items/1");
    assertThat(evicted.path("reason").asText()).isEqualTo("Preempted");
    assertThat(evicted.path("preemptor").toString())
        .isEqualTo("{\"namespace\":\"secret\",\"name\":\"hidden\"}");
    assertThat(log.at("/items/4/clusterQueue").asText()).as("that it waits for").isEqualTo("cq");
    assertThat(log.path("since").asText()).isEqualTo(LiveQueues.NOW.toString());
  }

  @Test
  void aUserSeesNoForeignNameWhateverTheFilter() {
    for (String query : new String[] {"", "?workload=hidden", "?preemptor=hidden", "?queue=cq"}) {
      String log = ok("user", "clusterlog" + query).toString();

      assertThat(log).doesNotContain("hidden", "secret");
    }
    JsonNode log = ok("user", "clusterlog");
    assertThat(log.path("items")).hasSize(3);
    assertThat(log.at("/items/0/preemptor").toString())
        .isEqualTo("{\"namespace\":null,\"workloads\":1}");
    assertThat(ok("user", "clusterlog?preemptor=hidden").path("items")).isEmpty();
    assertThat(ok("user", "namespaces/secret/log").path("items")).isEmpty();
    assertThat(ok("user", "namespaces/a/log").path("items")).hasSize(3);
  }

  @Test
  void filtersAndPagesAreOfTheQuery() {
    JsonNode first = ok("admin", "clusterlog?queue=cq&limit=2");
    assertThat(first.path("items").findValuesAsText("step")).containsExactly("Reserved", "Evicted");
    JsonNode second =
        ok("admin", "clusterlog?queue=cq&limit=2&before=" + first.path("next").asText());
    assertThat(second.path("items").findValuesAsText("step")).containsExactly("Reserved", "Queued");
    assertThat(second.has("next")).isFalse();
    assertThat(ok("admin", "clusterlog?reason=Preempted").path("items")).hasSize(1);
    assertThat(asked.get("admin", "clusterlog?before=odd").status()).isEqualTo(400);
  }

  @Test
  void aReaderWhoHasTheseEntriesGetsThemAgainOnlyAfterANewOne() {
    String tag = asked.get("admin", "clusterlog").headers().getOrDefault("ETag", "");

    assertThat(asked.get("admin", "clusterlog", "if-none-match", tag).status()).isEqualTo(304);
    add(5, Step.GONE, "a", "mine", "", "", "");
    assertThat(asked.get("admin", "clusterlog", "if-none-match", tag).status()).isEqualTo(200);
  }
}
