package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.HUB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.cli.testcluster.Pages;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The scheduler as a process beside a real API server. */
@NeedsControlPlane
@Timeout(360)
class ScheduleE2E {
  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();
  private static final SchedulerBeside SCHEDULER =
      new SchedulerBeside(
          CLUSTER,
          """
          resources:
            deviceClassMappings:
            - name: example.com/card
              deviceClassNames: [card.example.com]
            - name: example.com/card-memory
              deviceClassNames: [part.example.com]
              sources:
              - counter:
                  name: memory
                  driver: card.example.com
                  deviceSelector: {cel: {expression: device.driver.startsWith("card")}}
          """);
  private static final String TEMPLATES =
      "/apis/resource.k8s.io/v1/namespaces/claiming/resourceclaimtemplates";
  private static final Pattern PAGES = Pattern.compile("health and metrics on http://[^:]+:(\\d+)");

  private static final String JOBS = "/apis/batch/v1/namespaces/claiming/jobs";

  private static final String CARDS =
      """
      {"namespaceSelector":{},"resourceGroups":[{"coveredResources":["example.com/card"],
      "flavors":[{"name":"cards","resources":[{"name":"example.com/card","nominalQuota":5}]}]}]}\
      """;

  private static final String CLAIMING_JOB =
      """
      {"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j","labels":{
      "kueue.x-k8s.io/queue-name":"cards"}},"spec":{"suspend":true,"parallelism":2,"completions":2,
      "template":{"spec":{"restartPolicy":"Never","resourceClaims":[{"name":"cards",
      "resourceClaimTemplateName":"pair"}],"containers":[{"name":"c","image":"i","resources":{
      "claims":[{"name":"cards"}]}}]}}}}\
      """;

  private static final String PAIR =
      """
      {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate","metadata":{"name":"pair"},
      "spec":{"spec":{"devices":{"requests":[{"name":"r","exactly":{
      "deviceClassName":"card.example.com","count":2}}]}}}}\
      """;

  private static final String DEVICES = "/apis/resource.k8s.io/v1";

  private static final String PART_MEMORY =
      """
      {"namespaceSelector":{},"resourceGroups":[{"coveredResources":["example.com/card-memory"],
      "flavors":[{"name":"parts","resources":[{"name":"example.com/card-memory",
      "nominalQuota":"40Gi"}]}]}]}\
      """;

  private static final String PARTS =
      """
      {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{
      "name":"part.example.com"},"spec":{"selectors":[{"cel":{"expression":
      "device.attributes['card.example.com'].type == 'part'"}}]}}\
      """;

  private static final String PARTS_OF_A_NODE =
      """
      {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"parts"},"spec":{
      "driver":"card.example.com","nodeName":"node-1","pool":{"name":"node-1","generation":1,
      "resourceSliceCount":1},"devices":[
      {"name":"whole","attributes":{"type":{"string":"card"}},"consumesCounters":[{
      "counterSet":"card-0","counters":{"memory":{"value":"80Gi"}}}]},
      {"name":"part-0","attributes":{"type":{"string":"part"}},"consumesCounters":[{
      "counterSet":"card-0","counters":{"memory":{"value":"10Gi"}}}]},
      {"name":"part-1","attributes":{"type":{"string":"part"}},"consumesCounters":[{
      "counterSet":"card-0","counters":{"memory":{"value":"5Gi"}}}]}]}}\
      """;

  private static final List<String> MEASURED =
      Stream.of(
              "kueue_finished_workloads{cluster_queue='cq-measured',replica_role='leader'} 1.0",
              "kueue_finished_workloads_total{cluster_queue='cq-measured',priority_class='',"
                  + "replica_role='leader'} 1.0",
              "kueue_admitted_workloads_total{cluster_queue='cq-measured',priority_class='',"
                  + "replica_role='leader'} 2.0",
              "kueue_admitted_active_workloads{cluster_queue='cq-measured',"
                  + "replica_role='leader'} 1.0",
              "kueue_pending_workloads{cluster_queue='cq-measured',replica_role='leader',"
                  + "status='inadmissible'} 1.0",
              "kueue_local_queue_pending_workloads{name='lq-measured',namespace='measured',"
                  + "replica_role='leader',status='inadmissible'} 1.0",
              "kueue_local_queue_status{active='True',name='lq-measured',namespace='measured',"
                  + "replica_role='leader'} 1.0",
              "kueue_cluster_queue_status{cluster_queue='cq-measured',replica_role='leader',"
                  + "status='active'} 1.0",
              "# TYPE kueue_admission_wait_time_seconds histogram",
              "# TYPE kueue_build_info gauge")
          .map(line -> line.replace('\'', '"'))
          .toList();

  private static String workloads(String namespace) {
    return Kueue.collection(WORKLOAD, HUB, namespace);
  }

  private static void namespace(String name) {
    CLUSTER
        .api()
        .create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name))
        .orThrow();
  }

  private static Runnable creates(ApiKind kind, String namespace, String name, String spec) {
    return () -> Kueue.create(CLUSTER.api(), kind, namespace, name, spec).orThrow();
  }

  private static List<Runnable> queues(String namespace, String name, int quota) {
    return List.of(
        creates(RESOURCE_FLAVOR, "", "f-" + name, "{}"),
        creates(CLUSTER_QUEUE, "", "cq-" + name, Kueue.clusterQueue("f-" + name, quota)),
        creates(LOCAL_QUEUE, namespace, "lq-" + name, Kueue.localQueue("cq-" + name)));
  }

  private static Runnable workload(String namespace, String name, String queue) {
    return creates(WORKLOAD, namespace, name, Kueue.workload("lq-" + queue, 1));
  }

  private static List<JsonNode> all(String namespace) {
    List<JsonNode> all = new ArrayList<>();
    CLUSTER.api().get(workloads(namespace)).orThrow().json().path("items").forEach(all::add);
    return all;
  }

  /** What a job would have written: it is over. A conflict is left for the next round. */
  private static void finish(JsonNode workload) {
    ObjectNode patch = workload.deepCopy();
    ObjectNode finished = ((ObjectNode) patch.path("status")).withArray("conditions").addObject();
    finished.put("type", "Finished").put("status", "True").put("reason", "Succeeded");
    finished.put("message", "over");
    finished.put("lastTransitionTime", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    String name = workload.at("/metadata/name").asText();
    String namespace = workload.at("/metadata/namespace").asText();
    CLUSTER.api().put(workloads(namespace) + "/" + name + "/status", patch.toString());
  }

  private static int finishAdmitted(String namespace) {
    int finished = 0;
    for (JsonNode workload : all(namespace)) {
      if (ApiClient.hasCondition(workload, "Finished")) {
        finished++;
      } else if (ApiClient.hasCondition(workload, "Admitted")) {
        finish(workload);
      }
    }
    return finished;
  }

  @FullTier
  @Test
  void aQueueThatIsDeletedAdmitsNobodyAndGoesWithItsLastWorkload()
      throws IOException, InterruptedException {
    namespace("leaving");
    queues("leaving", "leaving", 1).forEach(Runnable::run);
    workload("leaving", "first", "leaving").run();
    workload("leaving", "second", "leaving").run();
    String queue = Kueue.path(CLUSTER_QUEUE, HUB, "cq-leaving");
    try (SluiceProcess process = SCHEDULER.start()) {
      SCHEDULER.await("one is admitted", () -> admitted("leaving") == 1);

      CLUSTER.api().delete(queue).orThrow();
      SCHEDULER.await(
          "it says that it goes",
          () ->
              CLUSTER
                  .api()
                  .get(queue)
                  .orThrow()
                  .json()
                  .at("/status/conditions/0/reason")
                  .asText()
                  .equals("Terminating"));
      SCHEDULER.await(
          "it is gone once nobody holds its quota",
          () -> {
            finishAdmitted("leaving");
            return CLUSTER.api().get(queue).status() == 404;
          });
      SCHEDULER.await(
          "who waits is told why",
          () ->
              all("leaving").stream()
                  .map(it -> it.at("/status/conditions").toString())
                  .anyMatch(it -> it.contains("ClusterQueue cq-leaving doesn't exist")));
      SchedulerBeside.stop(process);
    }
  }

  @FullTier
  @Test
  void aReceiverOfTracesHearsOfADecisionAndOfTheWriteThatFollows()
      throws IOException, InterruptedException {
    namespace("traced");
    queues("traced", "traced", 1).forEach(Runnable::run);
    workload("traced", "followed", "traced").run();
    try (TraceReceiver receiver = new TraceReceiver();
        SluiceProcess process =
            SCHEDULER.start(
                Map.of(
                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                    receiver.endpoint(),
                    "OTEL_BSP_SCHEDULE_DELAY",
                    "200"))) {
      SCHEDULER.await(
          "it hears of it",
          () -> receiver.has("cycle", "decide", "write", "followed", "Reserved", "MergePatch"));
      SchedulerBeside.stop(process);
    }
  }

  private static long admitted(String namespace) {
    return all(namespace).stream()
        .filter(
            it -> ApiClient.hasCondition(it, "Admitted") && !ApiClient.hasCondition(it, "Finished"))
        .count();
  }

  private static String page(SluiceProcess process, String path)
      throws IOException, InterruptedException {
    Matcher pages = PAGES.matcher(process.err());
    assertThat(pages.find()).as(process.tail()).isTrue();
    return Pages.read(Integer.parseInt(pages.group(1)), path);
  }

  /** The status of the one Workload of the namespace. */
  private static JsonNode status(String namespace) {
    List<JsonNode> all = all(namespace);
    return all.isEmpty() ? MissingNode.getInstance() : all.getFirst().path("status");
  }

  @FullTier
  @Test
  void aJobThatClaimsDevicesWaitsForTheTemplateAndTakesQuotaForTwoPodsOfTwoEach()
      throws IOException, InterruptedException {
    namespace("claiming");
    creates(RESOURCE_FLAVOR, "", "cards", "{}").run();
    creates(CLUSTER_QUEUE, "", "cards", CARDS).run();
    creates(LOCAL_QUEUE, "claiming", "cards", Kueue.localQueue("cards")).run();
    CLUSTER.api().create(JOBS, CLAIMING_JOB).orThrow();
    try (SluiceProcess process = SCHEDULER.start()) {
      SCHEDULER.await(
          "it is told what is missing",
          () -> status("claiming").toString().contains("no ResourceClaimTemplate claiming/pair"));
      assertThat(status("claiming").toString()).contains("\"reason\":\"Misconfigured\"");

      CLUSTER.api().create(TEMPLATES, PAIR).orThrow();
      SCHEDULER.await("it has quota", () -> admitted("claiming") == 1);
      assertThat(
              status("claiming")
                  .at("/admission/podSetAssignments/0/resourceUsage/example.com~1card")
                  .asText())
          .isEqualTo("4");
      assertThat(page(process, "/debug/audit")).startsWith("0 findings");
      SchedulerBeside.stop(process);
    }
  }

  @FullTier
  @Test
  void aJobThatClaimsPartsOfDevicesWaitsForThemAndTakesQuotaForWhatTheyTake()
      throws IOException, InterruptedException {
    namespace("parts");
    creates(RESOURCE_FLAVOR, "", "parts", "{}").run();
    creates(CLUSTER_QUEUE, "", "parts", PART_MEMORY).run();
    creates(LOCAL_QUEUE, "parts", "cards", Kueue.localQueue("parts")).run();
    CLUSTER.api().create(DEVICES + "/deviceclasses", PARTS).orThrow();
    CLUSTER
        .api()
        .create(
            DEVICES + "/namespaces/parts/resourceclaimtemplates",
            PAIR.replace("card.example.com", "part.example.com"))
        .orThrow();
    CLUSTER.api().create(JOBS.replace("claiming", "parts"), CLAIMING_JOB).orThrow();
    try (SluiceProcess process = SCHEDULER.start()) {
      SCHEDULER.await(
          "it is told what is missing",
          () -> status("parts").toString().contains("insufficient matching devices: 0"));
      assertThat(status("parts").toString()).contains("\"reason\":\"Misconfigured\"");

      CLUSTER.api().create(DEVICES + "/resourceslices", PARTS_OF_A_NODE).orThrow();
      SCHEDULER.await("it has quota", () -> admitted("parts") == 1);
      assertThat(
              status("parts")
                  .at("/admission/podSetAssignments/0/resourceUsage/example.com~1card-memory")
                  .asText())
          .as("two pods, each with two parts of 10 Gi")
          .isEqualTo(Long.toString(4 * (10L << 30)));
      assertThat(page(process, "/debug/audit")).startsWith("0 findings");
      SchedulerBeside.stop(process);
    }
  }

  /** One runs, one is over, one waits: what a user of Kueue's dashboards sees of that. */
  @Test
  void metricsTellWhatBecameOfWorkloadsByKueuesNames() throws IOException, InterruptedException {
    namespace("measured");
    queues("measured", "measured", 1).forEach(Runnable::run);
    try (SluiceProcess process = SCHEDULER.start()) {
      workload("measured", "first", "measured").run();
      SCHEDULER.await("one is admitted", () -> admitted("measured") == 1);
      SCHEDULER.await("it is over", () -> finishAdmitted("measured") == 1);
      workload("measured", "second", "measured").run();
      SCHEDULER.await("the next one is admitted", () -> admitted("measured") == 1);
      workload("measured", "third", "measured").run();
      for (String line : MEASURED) {
        SCHEDULER.await(line, () -> lines(process).contains(line), () -> shown(process));
      }
      CLUSTER
          .api()
          .delete(Kueue.collection(LOCAL_QUEUE, HUB, "measured") + "/lq-measured")
          .orThrow();
      SCHEDULER.await(
          "a queue that is gone has no series",
          () -> lines(process).stream().noneMatch(it -> it.contains("\"lq-measured\"")));
      SchedulerBeside.stop(process);
    }
  }

  private static List<String> lines(SluiceProcess process) {
    try {
      return page(process, "/metrics").lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the test is being stopped
      throw new IllegalStateException(e);
    }
  }

  private static String shown(SluiceProcess process) {
    return lines(process).stream()
        .filter(it -> it.contains("measured"))
        .collect(Collectors.joining("\n"));
  }
}
