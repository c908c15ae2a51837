package dev.sluice.cli.migrate;

import static dev.sluice.api.ApiKind.WORKLOAD;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.devcluster.DevCluster;
import dev.sluice.cli.testcluster.Etcd;
import dev.sluice.cli.testcluster.TestCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster full of Workloads at an old version, whose API server starts while etcd forgets fast.
 *
 * <p>{@code -Dsluice.migrate.objects=20000} makes it as full as one likes; what was measured is in
 * {@code target/stored-workloads.txt} afterwards. {@code -Dsluice.migrate.folder=FOLDER} takes up a
 * cluster that was filled before, since filling it takes longest, {@code
 * -Dsluice.migrate.pod-sets=1 -Dsluice.migrate.containers=1} makes the Workloads smaller, {@code
 * -Dsluice.migrate.pending=true} lets them wait, with small templates and no status, and {@code
 * -Dsluice.migrate.api-server=FLAG} starts the API server with one flag more, and {@code
 * -Dsluice.migrate.compaction=30s} lets etcd forget later.
 */
@FullTier
@NeedsControlPlane
@SuppressWarnings("NullAway.Init") // started before the test
final class StoredWorkloadsE2E {
  private static final int OBJECTS = Integer.getInteger("sluice.migrate.objects", 200);
  private static final String FOLDER = System.getProperty("sluice.migrate.folder", "");
  private static final String COMPACTION = System.getProperty("sluice.migrate.compaction", "10s");
  private static final String FLAG = System.getProperty("sluice.migrate.api-server", "");
  private static final int TEAMS = 4;
  private static final int PAGE = Math.clamp(OBJECTS / 20, 10, 250);
  private static final Duration READY = Duration.ofMinutes(10);

  @TempDir Path folder;
  private DevCluster cluster;
  private ApiClient client;
  private Etcd etcd;
  private KindClient workloads;
  private final WorkloadLedger ledger = new WorkloadLedger();
  private final Figures figures = new Figures();

  @BeforeEach
  void start() {
    cluster =
        TestCluster.startIn(
            FOLDER.isEmpty() ? folder.resolve("cluster") : Path.of(FOLDER),
            ControlPlane.Options.apiServer().withBound(READY));
    client = cluster.controlPlane().client();
    etcd = Etcd.of(cluster.controlPlane());
    workloads = new KindClient(WORKLOAD, client, etcd);
  }

  @AfterEach
  void stop() throws IOException {
    etcd.close();
    cluster.close();
    figures.write(Path.of("target", "stored-workloads.txt"));
  }

  @Test
  void staysOfUseWhenItsApiServerStartsAndLosesNothingWhenItIsMigrated() throws Exception {
    store();
    List<String> keys = readEtcd();

    try (WorkloadClients others = new WorkloadClients(workloads, client, ledger, keys)) {
      restart();
      try (Informer informer = figures.time("whole LIST at v1beta2, then WATCH", this::inform)) {
        figures.time("whole LIST at v1beta1", () -> count(V1BETA1, ""));
        figures.say("writes acknowledged before migrate: " + others.writes());
        migrateThoughKilledTwice();
        others.stop();
        await().atMost(READY).until(informer::isUpToDate);
        figures.say(
            "watch: %d events, %d objects known".formatted(informer.events(), informer.size()));
      }
      figures.say(
          "writes acknowledged: %d to %d objects, tried again: %d"
              .formatted(others.writes(), ledger.written(), others.refusals()));
    }
    assertThat(workloads.storedVersions()).containsExactly("v1beta2");
    assertThat(etcd.versions(WORKLOAD).values()).containsOnly(V1BETA2.groupVersion());
    auditEtcd();
    audit(V1BETA1);
    audit(V1BETA2);
  }

  private void store() throws Exception {
    if (etcd.versions(WORKLOAD).isEmpty()) {
      fill();
    }
    assertThat(etcd.versions(WORKLOAD).values())
        .hasSizeGreaterThan(OBJECTS * 9 / 10)
        .contains(V1BETA1.groupVersion());
  }

  private void fill() throws Exception {
    for (int team = 0; team < TEAMS; team++) {
      String namespace =
          "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}"
              .formatted(namespace(team));
      client.create("/api/v1/namespaces", namespace).orThrow();
    }
    workloads.storeAt(V1BETA1, WorkloadBodies::created);
    figures.time("create " + OBJECTS + " at v1beta1", this::createAll);
    workloads.storeAt(V1BETA2, WorkloadBodies::created);
    assertThat(etcd.versions(WORKLOAD).values()).containsOnly(V1BETA1.groupVersion());
  }

  private static String namespace(int number) {
    return "team-" + number % TEAMS;
  }

  private int createAll() {
    KindClient.concurrently(
        OBJECTS,
        number -> {
          String name = OldObjects.name(number);
          String namespace = namespace(number);
          String body = WorkloadBodies.created(name, number);
          client.create(workloads.collection(V1BETA1, namespace), body).orThrow();
          if (!WorkloadBodies.PENDING) {
            String status = workloads.path(V1BETA1, namespace + "/" + name) + "/status";
            client.mergePatch(status, WorkloadBodies.admission(number)).orThrow();
          }
        });
    return OBJECTS;
  }

  private List<String> readEtcd() {
    List<String> keys = new ArrayList<>();
    long[] bytes = new long[1];
    etcd.visit(
        WORKLOAD,
        (key, stored) -> {
          keys.add(key);
          bytes[0] += stored.length;
          ledger.has(key, stored);
        });
    figures.say("mean size in etcd: %d bytes".formatted(bytes[0] / keys.size()));
    return keys;
  }

  private void restart() throws Exception {
    figures.time(
        "API server ready after its restart",
        () -> {
          cluster.controlPlane().restartApiServer(flags());
          return cluster.controlPlane().server();
        });
    figures.time("first page at v1beta2 answered", () -> count(V1BETA2, "?limit=500"));
  }

  private static String[] flags() {
    return Stream.of("--etcd-compaction-interval=" + COMPACTION, FLAG)
        .filter(flag -> !flag.isEmpty())
        .toArray(String[]::new);
  }

  private int count(ApiVersion version, String query) throws IOException {
    AtomicInteger count = new AtomicInteger();
    String path = workloads.collection(version) + query;
    ObjectStream.list(client, path, _ -> count.incrementAndGet());
    return count.get();
  }

  private Informer inform() throws IOException {
    Informer informer = new Informer(client, workloads, V1BETA2);
    assertThat(informer.size()).isGreaterThan(OBJECTS * 9 / 10);
    return informer;
  }

  private void migrateThoughKilledTwice() throws Exception {
    Path kubeconfig = cluster.controlPlane().kubeconfig();
    var program = new MigrateProcess(folder, kubeconfig, WORKLOAD, List.of("--page-size=" + PAGE));
    int rate = Math.max(OBJECTS / 2, 50);

    figures.time("migrate until killed at", () -> program.killAfter(OBJECTS / 5, rate));
    figures.time("migrate until killed at", () -> program.killAfter(OBJECTS / 2, rate));
    assertThat(workloads.storedVersions()).contains("v1beta1");
    String said = figures.time("migrate to the end", program::finish);

    said.lines().forEach(figures::say);
    assertThat(said).contains("going on after");
  }

  private void auditEtcd() {
    var audit = ledger.new Audit();
    etcd.visit(WORKLOAD, audit::see);
    audit.end();
    figures.say("etcd: %d objects, each as expected".formatted(ledger.size()));
  }

  private void audit(ApiVersion version) throws IOException {
    var audit = ledger.new Audit();
    ObjectStream.list(
        client,
        workloads.collection(version),
        object -> audit.see(ObjectStream.key(object), text(object)));
    audit.end();
    figures.say("LIST at %s: %d objects, each as expected".formatted(version, ledger.size()));
  }

  private static byte[] text(JsonNode object) {
    return object.toString().getBytes(UTF_8);
  }
}
