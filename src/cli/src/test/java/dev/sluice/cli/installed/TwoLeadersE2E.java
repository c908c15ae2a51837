package dev.sluice.cli.installed;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.sluice.api.ApiKind;
import dev.sluice.cli.process.SluiceProcess;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.Pages;
import dev.sluice.cli.testcluster.WatchedRevisions;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.Ports;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.Tier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two schedulers that both believe that they lead, each at an API server of its own, so that their
 * writes are reviewed by another server: what the fence still keeps. Nothing stops them but the
 * fence, since neither looks at the Lease. Two ClusterQueues share a quota, and by a feature gate
 * one scheduler begins with the older Workload of both and the other one with the more important
 * one, so both reserve what is left for another Workload.
 */
@FullTier
@NeedsControlPlane
@Timeout(1_200)
@SuppressWarnings("NullAway.Init") // set before all tests
class TwoLeadersE2E {
  private static final int QUOTA = 1;
  private static final int WORKLOADS = Tier.number("sluice.leaders.workloads", 40, 60);
  private static final Duration PATIENCE = Duration.ofSeconds(120 + 2L * WORKLOADS);

  @TempDir private static Path folder;
  private static Replicas replicas;
  private static ApiClient api;
  private static ApiClient otherApi;
  private static final List<SluiceProcess> schedulers = new ArrayList<>();

  /** The Workloads whose names begin like this, each of one cpu, as they were stored last. */
  private static final class Held implements WatchedRevisions.Listener {
    private final String names;

    @GuardedBy("this")
    private final Set<String> holding = new HashSet<>();

    @GuardedBy("this")
    private final Set<String> finished = new HashSet<>();

    @GuardedBy("this")
    private int most;

    private Held(String names) {
      this.names = names;
    }

    @Override
    public synchronized void revision(String collection, JsonNode object, boolean gone) {
      String name = object.at("/metadata/name").asText();
      boolean isFinished = ApiClient.hasCondition(object, "Finished");
      boolean holds = object.at("/status").has("admission") && name.startsWith(names);
      if (holds && !isFinished && !gone) {
        holding.add(name);
      } else {
        holding.remove(name);
      }
      if (isFinished && name.startsWith(names)) {
        finished.add(name);
      }
      most = Math.max(most, holding.size());
    }

    private synchronized Set<String> holding() {
      return Set.copyOf(holding);
    }

    private synchronized int finished() {
      return finished.size();
    }

    private synchronized int most() {
      return most;
    }
  }

  @BeforeAll
  static void start() throws IOException {
    replicas = Replicas.start(folder);
    api = replicas.api();
    URI second = replicas.controlPlane().startAnotherApiServer();
    otherApi =
        new ApiClient(second, replicas.controlPlane().token(), replicas.controlPlane().caPem());
    Kueue.create(api, ApiKind.RESOURCE_FLAVOR, "flavor", "{}").orThrow();
    schedule(replicas.controlPlane().server(), true);
    schedule(second, false);
  }

  @AfterAll
  static void stop() {
    schedulers.forEach(SluiceProcess::close);
    otherApi.close();
    replicas.close();
  }

  private static boolean leads(int port) {
    return page(port, "/readyz").contains("leading");
  }

  private static String page(int port, String path) {
    try {
      return Pages.read(port, path);
    } catch (IOException _) {
      return ""; // it does not answer yet
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private static void schedule(URI apiServer, boolean importantFirst) throws IOException {
    String token = api.serviceAccountToken("sluice-system", "sluice-scheduler");
    Path file = folder.resolve("scheduler-" + apiServer.getPort() + ".kubeconfig");
    Path account = Printed.kubeconfig(replicas.controlPlane(), token, file);
    String first = replicas.controlPlane().server().toString();
    Files.writeString(account, Files.readString(account).replace(first, apiServer.toString()));
    int port = Ports.free();
    SluiceProcess scheduler =
        SluiceProcess.startFromClasses(
            folder,
            "schedule",
            "--kubeconfig=" + account,
            "--http-port=" + port,
            "--leader-elect=false",
            "--feature-gates=PrioritySortingWithinCohort=" + importantFirst);
    schedulers.add(scheduler);
    replicas.await("a scheduler leads", () -> leads(port));
  }

  /** An API server keeps its connection; a new one goes to the next server. */
  private static boolean asksAnotherServer() {
    Optional<Integer> one = serverAskedBy(api);
    Optional<Integer> other = serverAskedBy(otherApi);
    boolean isKnown = one.isPresent() && other.isPresent();
    if (isKnown && one.equals(other)) {
      replicas.endConnections();
    }
    return isKnown && !one.equals(other);
  }

  /** Empty if none answered: its connection was just ended. */
  private static Optional<Integer> serverAskedBy(ApiClient apiServer) {
    double before = reviews(0, "allowed");
    boolean isAnswered =
        apiServer
            .create(
                Kueue.everywhere(ApiKind.RESOURCE_FLAVOR) + "?dryRun=All",
                """
                {"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"ResourceFlavor",
                "metadata":{"name":"probe"},"spec":{}}\
                """)
            .isSuccess();
    return isAnswered ? Optional.of(reviews(0, "allowed") > before ? 0 : 1) : Optional.empty();
  }

  /** How many reviews of any kind had that verdict at a server. */
  private static double reviews(int server, String verdict) {
    return page(replicas.pages(server), "/metrics")
        .lines()
        .filter(it -> it.startsWith("sluice_admission_reviews_total{"))
        .filter(it -> it.contains("verdict=\"" + verdict + "\""))
        .mapToDouble(it -> Double.parseDouble(it.substring(it.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** Workloads come, get quota, and end, until all have ended. */
  private static Held flow(String name) {
    Kueue.create(
            api,
            ApiKind.COHORT,
            name,
            """
            {"resourceGroups":[{"coveredResources":["cpu"],"flavors":[{"name":"flavor",
            "resources":[{"name":"cpu","nominalQuota":%d}]}]}]}\
            """
                .formatted(QUOTA))
        .orThrow();
    String old = queue(name, "old");
    String important = queue(name, "important");
    Held held = new Held(name);
    String workloads = Kueue.everywhere(ApiKind.WORKLOAD);
    try (var revisions = new WatchedRevisions(api, List.of(workloads), held)) {
      for (int i = 0; i < WORKLOADS; i++) {
        boolean isOld = i < WORKLOADS / 2;
        Kueue.create(
                api,
                ApiKind.WORKLOAD,
                name + "-" + i,
                Kueue.workload(isOld ? old : important, 1)
                    .replaceFirst("\\{", "{\"priority\":%d,".formatted(isOld ? 0 : 1)))
            .orThrow();
      }
      replicas.await(
          "all Workloads got quota and ended",
          PATIENCE,
          () -> {
            held.holding().forEach(workload -> Kueue.finish(api, workload));
            return held.finished() == WORKLOADS;
          });
      assertThat(revisions.missed()).isEmpty();
    }
    return held;
  }

  /** A queue that borrows all that it has. */
  private static String queue(String cohort, String suffix) {
    String queue = cohort + "-" + suffix;
    String spec = Kueue.clusterQueue("flavor", 0);
    Kueue.create(
            api,
            ApiKind.CLUSTER_QUEUE,
            queue,
            spec.replaceFirst("\\{", "{\"cohortName\":\"%s\",".formatted(cohort)))
        .orThrow();
    Kueue.create(api, ApiKind.LOCAL_QUEUE, queue, Kueue.localQueue(queue)).orThrow();
    return queue;
  }

  @Test
  void besideTwoServersNoMoreThanTheQuotaOfEachIsHeldAndAllWorkloadsEnd() {
    replicas.await("each API server asks another server", TwoLeadersE2E::asksAnotherServer);
    Map<Integer, Double> before = new HashMap<>();
    for (int server = 0; server < Replicas.NUMBER; server++) {
      before.put(server, reviews(server, "allowed"));
    }

    Held held = flow("two");

    System.out.printf("two leaders, two servers: at most %d of %d held%n", held.most(), QUOTA);
    assertThat(held.most()).isBetween(QUOTA, Replicas.NUMBER * QUOTA);
    assertThat(before)
        .allSatisfy(
            (server, reviews) -> assertThat(reviews(server, "allowed")).isGreaterThan(reviews));
  }

  @Test
  void besideOneServerNoMoreThanTheQuotaIsHeldAndAllWorkloadsEnd() throws IOException {
    replicas.kill(1);
    double before = reviews(0, "denied");
    try {
      Held held = flow("one");

      System.out.printf(
          "two leaders, one server: at most %d of %d held, %.0f writes refused%n",
          held.most(), QUOTA, reviews(0, "denied") - before);
      assertThat(held.most()).isEqualTo(QUOTA);
    } finally {
      replicas.revive(1);
    }
  }
}
