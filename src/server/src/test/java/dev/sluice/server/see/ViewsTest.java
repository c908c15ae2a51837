package dev.sluice.server.see;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.see.standing.Standings;
import dev.sluice.server.reply.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("NullAway.Init") // set before each test
class ViewsTest {
  private static final String EXPLANATION = "namespaces/a/workloads/mine/explanation";

  @TempDir private Path folder;
  private final LiveQueues queues = new LiveQueues();
  private Asked asked;

  @BeforeEach
  void twoTeamsInOneQueue() throws IOException {
    fill(queues);
    asked = new Asked(queues, folder, Runnable::run);
  }

  /** Namespace {@code secret} holds most of the quota and is before {@code a} in the line. */
  private static void fill(LiveQueues queues) {
    queues.namespace("a");
    queues.namespace("secret");
    queues.flavor("f");
    queues.clusterQueue("cq", 8, "'cohortName':'all',");
    queues.clusterQueue("lender", 2, "'cohortName':'all',");
    queues.localQueue("a", "team", "cq");
    queues.localQueue("secret", "team", "cq");
    queues.running("secret", "hidden-large", 6, 0, "cq");
    queues.running("secret", "hidden-small", 2, 0, "cq");
    queues.running("a", "shown", 1, 0, "cq");
    queues.waiting("secret", "hidden-first", 9, 5);
    queues.waiting("secret", "hidden-second", 9, 4);
    queues.waiting("a", "mine", 3, 3);
    queues.waiting("secret", "hidden-last", 9, 2);
  }

  @AfterEach
  void end() {
    asked.close();
  }

  private JsonNode ok(String user, String path) {
    Reply reply = asked.get(user, path);
    assertThat(reply.status()).as(new String(reply.body(), UTF_8)).isEqualTo(200);
    JsonNode answer = Asked.json(reply);
    assertThat(answer.path("asOf").asText()).isEqualTo(LiveQueues.NOW.toString());
    assertThat(answer.path("apiVersion").asText()).isEqualTo("view.sluice.dev/v1alpha1");
    return answer;
  }

  @Test
  void anExplanationNamesTheHoldersToWhomMaySeeThem() {
    JsonNode explanation = ok("admin", EXPLANATION);

    assertThat(explanation.path("ahead").asInt()).isEqualTo(2);
    assertThat(explanation.at("/shortages/0/holders").findValuesAsText("name"))
        .containsExactly("hidden-large", "hidden-small", "shown");
    assertThat(explanation.path("remedies").findValuesAsText("change"))
        .contains("Workload secret/hidden-small ends");
  }

  @Test
  void ofOthersOnlyNumberAndAmountAreShown() {
    JsonNode explanation = ok("user", EXPLANATION);

    JsonNode holders = explanation.at("/shortages/0/holders");
    assertThat(holders).hasSize(2);
    assertThat(holders.at("/0/name").asText()).isEqualTo("shown");
    assertThat(holders.at("/1/namespace").isNull()).isTrue();
    assertThat(holders.at("/1/workloads").asInt()).isEqualTo(2);
    assertThat(holders.at("/1/amount").asText()).isEqualTo("8");
    assertThat(explanation.path("remedies").findValuesAsText("change"))
        .contains("a workload of another namespace ends");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        EXPLANATION,
        "namespaces/a/localqueues/team/line",
        "clusterqueues/cq/line",
        "clusterqueues/cq/holders",
        "clusterqueues/cq/usage",
        "clusterqueues/cq/quotas",
        "namespaces/a/workloads/mine/timeline",
        "standing"
      })
  void noAnswerHasAForeignName(String path) {
    String answer = ok("user", path).toString();

    assertThat(answer).doesNotContain("hidden").doesNotContain("secret");
  }

  @ParameterizedTest
  @ValueSource(strings = {EXPLANATION, "clusterqueues/cq/line", "clusterqueues/cq/holders"})
  void rightsThatAreTakenAwayEndWhatAClientMayKeep(String path) {
    asked.show("a", "secret");
    Reply before = asked.get("user", path);
    String tag = requireNonNull(before.headers().get("ETag"));
    assertThat(before.status()).isEqualTo(200);
    assertThat(asked.get("user", path, "if-none-match", tag).status()).isEqualTo(304);

    asked.show("a");
    Reply after = asked.get("user", path, "if-none-match", tag);

    assertThat(after.status()).isEqualTo(200);
    assertThat(new String(after.body(), UTF_8)).doesNotContain("hidden").doesNotContain("secret");
    String cut = requireNonNull(after.headers().get("ETag"));
    assertThat(cut).isNotEqualTo(tag);
    assertThat(asked.get("user", path, "if-none-match", cut).status()).isEqualTo(304);
    assertThat(asked.get("admin", path, "if-none-match", cut).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"clusterqueues/cq/line", "clusterqueues/cq/holders", "standing"})
  void whoAsksTheSameInOneStateGetsTheSameAnswerIfTheSameIsShown(String path) {
    byte[] answer = asked.get("admin", path).body();

    assertThat(asked.get("admin", path).body()).isSameAs(answer);
    assertThat(new String(asked.get("user", path).body(), UTF_8)).doesNotContain("hidden");
    queues.waiting("a", "another", 1, 0);
    assertThat(asked.get("admin", path).body()).isNotSameAs(answer);
  }

  @ParameterizedTest
  @ValueSource(strings = {"clusterqueues/cq/line", "clusterqueues/cq/holders"})
  void anotherPageIsAnotherAnswer(String path) {
    byte[] answer = asked.get("admin", path).body();

    assertThat(asked.get("admin", path + "?limit=1").body()).isNotEqualTo(answer);
  }

  @Test
  void aJobIsExplainedByItsOwnName() {
    JsonNode explanation = ok("user", EXPLANATION.replace("mine", "mine-job"));

    assertThat(explanation.at("/workload/name").asText()).isEqualTo("mine");
    assertThat(asked.get("user", EXPLANATION.replace("mine", "nobody")).status()).isEqualTo(404);
  }

  @Test
  void aLineHasWhoIsNotShownAsNumbers() {
    JsonNode line = ok("user", "clusterqueues/cq/line");

    assertThat(line.path("total").asInt()).isEqualTo(4);
    JsonNode items = line.path("items");
    assertThat(items).hasSize(3);
    assertThat(items.at("/0/namespace").isNull()).isTrue();
    assertThat(items.at("/0/workloads").asInt()).isEqualTo(2);
    assertThat(items.at("/1/name").asText()).isEqualTo("mine");
    assertThat(items.at("/1/ahead").asInt()).isEqualTo(2);
    assertThat(items.at("/1/aheadInLocalQueue").asInt()).isZero();
    assertThat(items.at("/2/workloads").asInt()).isEqualTo(1);
  }

  @Test
  void aPageOfALineBeginsAtItsOffset() {
    JsonNode line = ok("admin", "clusterqueues/cq/line?limit=2&offset=1");

    assertThat(line.path("items").findValuesAsText("name"))
        .containsExactly("hidden-second", "mine");
    assertThat(asked.get("admin", "clusterqueues/cq/line?limit=x").status()).isEqualTo(400);
    assertThat(asked.get("admin", "clusterqueues/none/line").status()).isEqualTo(404);
    assertThat(asked.get("admin", "namespaces/a/localqueues/none/line").status()).isEqualTo(404);
  }

  @Test
  void theUseOfAQueueHasAStepForEachChange() {
    assertThat(ok("admin", "clusterqueues/cq/usage").path("items")).isEmpty();
    asked.usage.note(LiveQueues.NOW.minusSeconds(60), Standings.of(queues.snapshot()));
    queues.waiting("a", "another", 1, 0);
    asked.usage.note(LiveQueues.NOW.minusSeconds(30), Standings.of(queues.snapshot()));
    queues.clusterQueue("cq", 10, "'cohortName':'all',");
    asked.usage.note(LiveQueues.NOW, Standings.of(queues.snapshot()));

    JsonNode usage = ok("admin", "clusterqueues/cq/usage");

    assertThat(usage.path("from").asText()).isEqualTo(LiveQueues.NOW.minusSeconds(60).toString());
    assertThat(usage.path("to").asText()).isEqualTo(LiveQueues.NOW.toString());
    assertThat(usage.path("complete").asBoolean()).isTrue();
    JsonNode cpu = usage.at("/items/0");
    assertThat(cpu.path("flavor").asText()).isEqualTo("f");
    assertThat(cpu.path("resource").asText()).isEqualTo("cpu");
    assertThat(cpu.path("steps").findValuesAsText("nominal")).containsExactly("8", "10");
    assertThat(cpu.path("steps").findValuesAsText("used")).containsExactly("9", "9");
    assertThat(cpu.path("steps").findValuesAsText("borrowed")).containsExactly("1", "0");
    assertThat(asked.get("admin", "clusterqueues/none/usage").status()).isEqualTo(404);
  }

  @Test
  void theQuotaOfAQueueHasTheFormOfItsSpec() {
    JsonNode groups = ok("admin", "clusterqueues/cq/quotas").path("resourceGroups");

    assertThat(groups.toString())
        .isEqualTo(
            "[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[{'name':'cpu',"
                    .replace('\'', '"')
                + "'nominalQuota':'8'}]}]}]".replace('\'', '"'));
    assertThat(asked.get("admin", "clusterqueues/none/quotas").status()).isEqualTo(404);
  }

  @Test
  void aUseThatIsKnownIsNotSentAgain() {
    String tag = asked.get("admin", "clusterqueues/cq/usage").headers().getOrDefault("ETag", "");
    queues.waiting("a", "another", 1, 0);

    assertThat(asked.get("admin", "clusterqueues/cq/usage", "if-none-match", tag).status())
        .isEqualTo(304);
    asked.usage.note(LiveQueues.NOW, Standings.of(queues.snapshot()));
    assertThat(asked.get("admin", "clusterqueues/cq/usage", "if-none-match", tag).status())
        .isEqualTo(200);
  }

  @Test
  void theHoldersOfAQueueHaveWhatTheyHold() {
    JsonNode holders = ok("admin", "clusterqueues/cq/holders");

    assertThat(holders.path("total").asInt()).isEqualTo(3);
    assertThat(holders.path("items").findValuesAsText("name"))
        .containsExactly("shown", "hidden-large", "hidden-small");
    assertThat(holders.at("/items/1/amounts").toString())
        .isEqualTo("[{\"flavor\":\"f\",\"resource\":\"cpu\",\"amount\":\"6\"}]");
    assertThat(holders.at("/items/1/phase").asText()).isEqualTo("Admitted");
    assertThat(holders.at("/items/1/since").asText()).isEqualTo(LiveQueues.NOW.toString());
    assertThat(ok("admin", "clusterqueues/cq/holders?limit=1&offset=2").path("items")).hasSize(1);
    assertThat(ok("user", "clusterqueues/cq/holders").at("/items/1/workloads").asInt())
        .isEqualTo(2);
    assertThat(asked.get("admin", "clusterqueues/none/holders").status()).isEqualTo(404);
  }

  @Test
  void aTimelineHasTheCreationAndEachConditionInOrder() {
    JsonNode timeline = ok("admin", "namespaces/a/workloads/shown-job/timeline");

    assertThat(timeline.at("/workload/name").asText()).isEqualTo("shown");
    assertThat(timeline.path("items").findValuesAsText("type"))
        .containsExactly("QuotaReserved", "Admitted", "Created");
    assertThat(timeline.at("/items/0/value").asText()).isEqualTo("True");
    assertThat(asked.get("admin", "namespaces/a/workloads/none/timeline").status()).isEqualTo(404);
  }

  @Test
  void theStandingSaysWhyAQueueIsInactiveAndHowManyHaveQuota() {
    queues.clusterQueue("held", 1, "'stopPolicy':'Hold',");

    JsonNode items = ok("admin", "standing").path("items");

    JsonNode held = items.findParents("inactive").getFirst();
    assertThat(held.path("name").asText()).isEqualTo("held");
    assertThat(held.path("inactive").asText()).isNotBlank();
    assertThat(items.findParents("inactive")).as("the others are active").hasSize(1);
    assertThat(items.at("/0/holding").asInt()).isEqualTo(3);
  }

  @Test
  void theStandingHasWhatIsBorrowedAndLent() {
    JsonNode cohort = ok("admin", "standing").at("/items/0");

    assertThat(cohort.path("kind").asText()).isEqualTo("Cohort");
    assertThat(cohort.path("waiting").asInt()).isEqualTo(4);
    JsonNode borrower = cohort.at("/children/0");
    assertThat(borrower.path("name").asText()).isEqualTo("cq");
    assertThat(amounts(borrower)).containsExactly("8", "9", "1", "0", "1");
    assertThat(borrower.path("weightedShare").asInt()).isEqualTo(100); // 1 of the 10 there are
    JsonNode lender = cohort.at("/children/1");
    assertThat(amounts(lender)).containsExactly("2", "0", "0", "1", "1");
  }

  private static List<String> amounts(JsonNode node) {
    JsonNode quota = node.at("/quotas/0");
    return List.of(
        quota.path("nominal").asText(),
        quota.path("used").asText(),
        quota.path("borrowed").asText(),
        quota.path("lent").asText(),
        quota.path("available").asText());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "clusterqueues/lender/line",
        "namespaces/a/localqueues/team/line",
        "clusterqueues/cq/holders",
        "clusterqueues/cq/quotas",
        "namespaces/a/workloads/mine/timeline",
        "inventory",
        "standing"
      })
  void whatSaysTheSameInANewerStateIsNotSentAgain(String path) {
    String tag = asked.get("user", path).headers().getOrDefault("ETag", "");

    queues.namespace("another");

    assertThat(asked.get("user", path, "if-none-match", tag).status()).isEqualTo(304);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"namespaces/a/localqueues/team/line", "clusterqueues/cq/holders", "standing"})
  void whatAnotherReplicaSaidIsNotSentAgain(String path) throws IOException {
    LiveQueues others = new LiveQueues();
    fill(others);
    others.namespace("another"); // so that its state has another number
    String tag = asked.get("user", path).headers().getOrDefault("ETag", "");

    try (Asked replica = new Asked(others, folder, Runnable::run)) {
      assertThat(replica.get("user", path, "if-none-match", tag).status()).isEqualTo(304);
    }
  }

  @Test
  void aLineThatChangesIsSentAgain() {
    String line = "namespaces/a/localqueues/team/line";
    String tag = asked.get("user", line).headers().getOrDefault("ETag", "");

    queues.waiting("a", "another", 1, 0);

    assertThat(asked.get("user", line, "if-none-match", tag).status()).isEqualTo(200);
  }

  @Test
  void whatIsUnchangedIsNotSentAgain() {
    String tag = asked.get("user", EXPLANATION).headers().getOrDefault("ETag", "");

    assertThat(asked.get("user", EXPLANATION, "if-none-match", tag).status()).isEqualTo(304);
    queues.waiting("a", "another", 1, 0);
    assertThat(asked.get("user", EXPLANATION, "if-none-match", tag).status()).isEqualTo(200);
  }
}
