package dev.sluice.server.see;

import static dev.sluice.server.see.Aggregated.BOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.server.schedule.Scheduling;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.supervision.Supervisor;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Our own API through the aggregation layer of a real API server, beside a scheduler that decides.
 * {@code -Dsluice.see.questions=300} asks so many questions in place of 8, and {@code
 * -Dsluice.see.seed=7} others.
 */
@FullTier
@NeedsControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@SuppressWarnings("NullAway.Init") // set before all tests
class ViewE2E {
  private static final int QUESTIONS = Integer.getInteger("sluice.see.questions", 8);

  private static final int SEED = Integer.getInteger("sluice.see.seed", 20);

  /** After so many questions the queues are full, so others are opened. */
  private static final int ROUND = 12;

  private static final String API = "/apis/view.sluice.dev/v1alpha1";
  private static final String OURS = "/apis/kueue.x-k8s.io/v1beta2/";
  private static final String WORKLOADS = OURS + "workloads";

  @TempDir private static Path folder;

  private Aggregated setting;
  private Scheduling scheduling;
  private final List<String> queues = new ArrayList<>();
  private ApiClient admin;

  @BeforeAll
  void aSchedulerBesideTheServer() throws IOException {
    setting = new Aggregated(folder);
    admin = setting.cluster.client();
    setting.createUserRoles();
    for (String flavor : List.of("fast", "slow")) {
      create("ResourceFlavor", "resourceflavors", flavor, "'spec':{}");
    }
    create("WorkloadPriorityClass", "workloadpriorityclasses", "low", "'value':1");
    create("WorkloadPriorityClass", "workloadpriorityclasses", "high", "'value':100");
    for (String namespace : List.of("a", "b")) {
      setting.create("/api/v1/namespaces", "{'metadata':{'name':'%s'}}".formatted(namespace));
    }
    admin.await(API + "/standing", BOUND, it -> it.has("items")); // the first lists are in
    scheduling =
        Scheduling.alone(
            setting.cluster.kubeconfig(), Chosen.defaults("sluice-system"), new Supervisor());
  }

  /**
   * A cohort of its own with a ClusterQueue and a LocalQueue for each namespace. Nobody is evicted
   * for an equal: two that evict each other in turn end in a state that depends on time.
   */
  private void openQueues(int round) {
    for (String namespace : List.of("a", "b")) {
      String queue = "queue-%s-%d".formatted(namespace, round);
      queues.add(queue);
      create(
          "ClusterQueue",
          "clusterqueues",
          queue,
          """
          'spec':{'namespaceSelector':{},'cohortName':'both-%d',
          'preemption':{'withinClusterQueue':'LowerPriority','reclaimWithinCohort':'LowerPriority'},
          'resourceGroups':[{'coveredResources':['cpu'],'flavors':[
          {'name':'fast','resources':[{'name':'cpu','nominalQuota':'4'}]},
          {'name':'slow','resources':[{'name':'cpu','nominalQuota':'6'}]}]}]}\
          """
              .formatted(round));
      create(
          "LocalQueue",
          "namespaces/%s/localqueues".formatted(namespace),
          "team-" + round,
          "'spec':{'clusterQueue':'%s'}".formatted(queue));
    }
    for (String namespace : List.of("a", "b")) { // else a question is about half of them
      String line = API + "/clusterqueues/queue-%s-%d/line".formatted(namespace, round);
      admin.await(line, BOUND, it -> it.has("total"));
      line = API + "/namespaces/%s/localqueues/team-%d/line".formatted(namespace, round);
      admin.await(line, BOUND, it -> it.has("total"));
    }
  }

  /** Creates an object of our group with these members beside its metadata. */
  private void create(String kind, String collection, String name, String members) {
    setting.create(
        OURS + collection,
        "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'%s','metadata':{'name':'%s'},%s}"
            .formatted(kind, name, members));
  }

  @AfterAll
  void end() {
    if (scheduling != null) {
      scheduling.close();
    }
    if (setting != null) {
      setting.close();
    }
  }

  private static String job(String name, int round, int cpu, String priority) {
    return """
    {'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'%s','labels':{
    'kueue.x-k8s.io/queue-name':'team-%d','kueue.x-k8s.io/priority-class':'%s'}},'spec':{
    'suspend':true,'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c',
    'image':'i','resources':{'requests':{'cpu':'%d'}}}]}}}}\
    """
        .formatted(name, round, priority, cpu)
        .replace('\'', '"');
  }

  private JsonNode simulate(String namespace, String job) {
    return admin
        .create(
            API + "/namespaces/" + namespace + "/simulations",
            "{\"spec\":{\"objects\":[" + job + "]}}")
        .orThrow()
        .json()
        .path("status");
  }

  /** The Workload of the job; missing before there is one. */
  private JsonNode workload(String namespace, String job) {
    for (JsonNode item : admin.get(WORKLOADS).orThrow().json().path("items")) {
      if (item.at("/metadata/namespace").asText().equals(namespace)
          && item.at("/metadata/ownerReferences/0/name").asText().equals(job)) {
        return item;
      }
    }
    return admin.get(WORKLOADS).orThrow().json().path("missing");
  }

  private static boolean isDecided(JsonNode workload) {
    return workload.at("/status/conditions").valueStream().anyMatch(it -> is(it, "QuotaReserved"));
  }

  private static boolean is(JsonNode condition, String type) {
    return condition.path("type").asText().equals(type);
  }

  private static boolean isTrue(JsonNode workload, String type) {
    return workload
        .at("/status/conditions")
        .valueStream()
        .anyMatch(it -> is(it, type) && it.path("status").asText().equals("True"));
  }

  /** How often each Workload was evicted so far. */
  private Map<String, Integer> evictions() {
    Map<String, Integer> counts = new TreeMap<>();
    for (JsonNode item : admin.get(WORKLOADS).orThrow().json().path("items")) {
      int count =
          item.at("/status/schedulingStats/evictions")
              .valueStream()
              .mapToInt(it -> it.path("count").asInt())
              .sum();
      counts.put(item.at("/metadata/name").asText(), count);
    }
    return counts;
  }

  /** Waits until those wait by the server's knowledge who wait by what is stored. */
  private void awaitServerKnows() {
    await()
        .atMost(BOUND)
        .untilAsserted(
            () -> {
              Set<String> stored = new TreeSet<>();
              for (JsonNode item : admin.get(WORKLOADS).orThrow().json().path("items")) {
                if (!isTrue(item, "QuotaReserved")) {
                  stored.add(item.at("/metadata/name").asText());
                }
              }
              Set<String> known = new TreeSet<>();
              for (String queue : queues) {
                admin
                    .get(API + "/clusterqueues/" + queue + "/line?limit=1000")
                    .orThrow()
                    .json()
                    .path("items")
                    .forEach(it -> known.add(it.path("name").asText()));
              }
              assertThat(known).isEqualTo(stored);
            });
  }

  @Test
  @Order(1)
  void theAnswerIsWhatHappens() {
    Random random = new Random(SEED);
    Set<String> kinds = new TreeSet<>();
    for (int i = 0; i < QUESTIONS; i++) {
      String namespace = random.nextBoolean() ? "a" : "b";
      int number = i;
      String name = "question-" + i;
      if (i % ROUND == 0) {
        openQueues(i / ROUND);
      }
      String priority = i % 4 == 3 ? "high" : "low";
      String job = job(name, i / ROUND, 2 + random.nextInt(5), priority);
      Map<String, Integer> before = evictions();

      JsonNode status = simulate(namespace, job);

      admin.create("/apis/batch/v1/namespaces/" + namespace + "/jobs", job).orThrow();
      awaitDecided(namespace, name, said(status).startsWith("admitted"));
      await() // the evicted may evict others in turn, which is part of the answer
          .atMost(BOUND)
          .untilAsserted(
              () ->
                  assertThat(happened(namespace, name, before))
                      .as("question %d: %s in %s", number, job, namespace)
                      .isEqualTo(said(status)));
      kinds.add(status.at("/outcomes/0/answer").asText());
      awaitServerKnows();
    }
    assertThat(kinds).contains("Admitted", "AdmittedAfterPreemption", "Waits");
  }

  /**
   * What a simulation says of the job, and who is evicted. Which of them gets quota again depends
   * on whose Pods end first.
   */
  private static String said(JsonNode status) {
    JsonNode outcome = status.at("/outcomes/0");
    boolean admitted = outcome.path("answer").asText().startsWith("Admitted");
    Set<String> evicted = new TreeSet<>();
    status.path("delayed").forEach(it -> evicted.add(it.path("name").asText()));
    return "%s %s evicting %s"
        .formatted(
            admitted ? "admitted" : "waits",
            admitted ? outcome.at("/podSets/0/flavors/cpu").asText() : "",
            evicted);
  }

  private void awaitDecided(String namespace, String name, boolean admitted) {
    await()
        .atMost(BOUND)
        .until(
            () -> {
              JsonNode workload = workload(namespace, name);
              return admitted ? isTrue(workload, "Admitted") : isDecided(workload);
            });
    await().atMost(BOUND).until(() -> !anyIsStopping());
  }

  /** What became of the job, and who was evicted since. */
  private String happened(String namespace, String name, Map<String, Integer> before) {
    JsonNode workload = workload(namespace, name);
    boolean has = isTrue(workload, "Admitted");
    Set<String> evicted = new TreeSet<>();
    evictions()
        .forEach(
            (key, count) -> {
              if (count > before.getOrDefault(key, 0)) {
                evicted.add(key);
              }
            });
    return "%s %s evicting %s"
        .formatted(
            has ? "admitted" : "waits",
            has ? workload.at("/status/admission/podSetAssignments/0/flavors/cpu").asText() : "",
            evicted);
  }

  private boolean anyIsStopping() {
    return admin
        .get(WORKLOADS)
        .orThrow()
        .json()
        .path("items")
        .valueStream()
        .anyMatch(it -> isTrue(it, "Evicted") && isTrue(it, "QuotaReserved"));
  }

  @Test
  @Order(2)
  void aUserSeesWhyAndWhoOfTheOwnNamespaceOnly() {
    String large = job("large", 0, 20, "low");
    admin.create("/apis/batch/v1/namespaces/a/jobs", large).orThrow();
    await().atMost(BOUND).until(() -> isDecided(workload("a", "large")));
    awaitServerKnows();
    String own = API + "/namespaces/a";
    List<String> foreign = foreignHolders();
    assertThat(foreign).isNotEmpty();

    JsonNode all = admin.get(own + "/workloads/large/explanation").orThrow().json();
    assertThat(all.findValuesAsText("name")).containsAnyElementsOf(foreign);
    assertThat(all.path("asOf").asText()).endsWith("Z");
    assertThat(admin.get(API + "/standing").orThrow().json().at("/items/0/name").asText())
        .isEqualTo("both-0");
    assertThat(admin.get(API + "/clusterqueues/queue-a-0/line").orThrow().json().path("items"))
        .isNotEmpty();

    String token =
        setting.tokenOf("a", "batch-user", "kueue-view-user-role", "kueue-workload-viewer-role");
    try (var user = new ApiClient(setting.cluster.server(), token, setting.cluster.caPem())) {
      JsonNode why =
          user.await(own + "/workloads/large/explanation", BOUND, it -> it.has("because")).json();
      assertThat(why.toString()).contains("\"namespace\":null").doesNotContain(foreign);
      assertThat(user.get(own + "/localqueues/team-0/line").orThrow().json().toString())
          .contains("large")
          .doesNotContain("\"namespace\":\"b\"");
      JsonNode simulated =
          user.create(
                  own + "/simulations", "{\"spec\":{\"objects\":[" + job("x", 0, 4, "high") + "]}}")
              .orThrow()
              .json();
      assertThat(simulated.toString()).contains("answer").doesNotContain("\"namespace\":\"b\"");
      for (String path :
          List.of(
              "/standing",
              "/clusterqueues/queue-a-0/line",
              "/namespaces/b/localqueues/team-0/line")) {
        assertThat(user.get(API + path).status()).as(path).isEqualTo(403);
      }
      assertThat(user.create(API + "/clustersimulations", "{}").status()).isEqualTo(403);
    }
  }

  /** The Workloads of namespace b that have quota of the first cohort. */
  private List<String> foreignHolders() {
    List<String> names = new ArrayList<>();
    for (JsonNode item : admin.get(WORKLOADS).orThrow().json().path("items")) {
      if (item.at("/metadata/namespace").asText().equals("b")
          && item.at("/spec/queueName").asText().equals("team-0")
          && isTrue(item, "Admitted")) {
        names.add(item.at("/metadata/name").asText());
      }
    }
    return names;
  }

  @Test
  @Order(3)
  void aClientThatPollsLosesTheNamesWithTheRightToThem() {
    String foreign = foreignHolders().getFirst();
    String token =
        setting.tokenOf("a", "poller", "kueue-view-user-role", "kueue-workload-viewer-role");
    String bindings = "/apis/rbac.authorization.k8s.io/v1/namespaces/b/rolebindings";
    setting.create(
        bindings,
        """
        {'metadata':{'name':'poller'},'subjects':[{'kind':'ServiceAccount','name':'poller',
        'namespace':'a'}],'roleRef':{'apiGroup':'rbac.authorization.k8s.io',
        'kind':'ClusterRole','name':'kueue-workload-viewer-role'}}\
        """);
    String[] tagAndPage = {"\"none\"", ""};

    await().atMost(BOUND).until(() -> poll(token, tagAndPage).contains(foreign));
    admin.delete(bindings + "/poller").orThrow();
    await().atMost(BOUND).until(() -> !poll(token, tagAndPage).contains(foreign));

    assertThat(tagAndPage[1]).contains("because");
  }

  /** What a page shows that keeps its last answer until there is another one. */
  private String poll(String token, String[] tagAndPage) {
    var answer =
        setting.direct(
            null,
            API + "/namespaces/a/workloads/large/explanation",
            "Authorization",
            "Bearer " + token,
            "If-None-Match",
            tagAndPage[0]);
    if (answer.statusCode() == 200) {
      tagAndPage[0] = answer.headers().firstValue("ETag").orElseThrow();
      tagAndPage[1] = answer.body();
    }
    return tagAndPage[1];
  }

  @Test
  @Order(3)
  void whoMayNothingSeesNothing() {
    String token = setting.tokenOf("b", "nobody");
    try (var nobody = new ApiClient(setting.cluster.server(), token, setting.cluster.caPem())) {
      for (String path :
          List.of(
              "/namespaces/a/workloads/large/explanation",
              "/namespaces/a/localqueues/team-0/line",
              "/standing")) {
        assertThat(nobody.get(API + path).status()).as(path).isEqualTo(403);
      }
      assertThat(nobody.create(API + "/namespaces/a/simulations", "{}").status()).isEqualTo(403);
    }
    assertThat(setting.direct(null, API + "/namespaces/a/workloads/large/explanation").statusCode())
        .isEqualTo(401);
  }

  @Test
  @Order(4)
  void anAnswerThatIsUnchangedIsNotSentAgain() {
    String path = API + "/namespaces/a/workloads/large/explanation";
    String[] asAdmin = {"X-Remote-User", "admin", "X-Remote-Group", "system:masters"};
    String[] conditional = Arrays.copyOf(asAdmin, 6);
    conditional[4] = "If-None-Match";

    // between two requests a new forecast may be made, which is a change
    await()
        .atMost(BOUND)
        .until(
            () -> {
              var first = setting.direct(setting.frontProxy, path, asAdmin);
              conditional[5] = first.headers().firstValue("ETag").orElseThrow();
              return setting.direct(setting.frontProxy, path, conditional).statusCode() == 304;
            });
  }

  @Test
  @Order(5)
  void aBodyThatIsTooLargeIsRefused() {
    String large = "{\"spec\":\"" + "x".repeat(1 << 20) + "\"}";

    assertThat(setting.cluster.client().create(API + "/clustersimulations", large).status())
        .isEqualTo(413);
    assertThat(admin.create(API + "/clustersimulations", "{\"spec\":{}}").status()).isEqualTo(422);
  }
}
