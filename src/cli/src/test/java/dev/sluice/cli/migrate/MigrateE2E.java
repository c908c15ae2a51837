package dev.sluice.cli.migrate;

import static dev.sluice.cli.migrate.OldObjects.name;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.cli.Commands;
import dev.sluice.cli.testcluster.Detour;
import dev.sluice.cli.testcluster.Etcd;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Migration on a real control plane, through trouble of many kinds. */
@FullTier
@NeedsControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("NullAway.Init") // started before all tests
final class MigrateE2E {
  private static final int OBJECTS = 300;
  private static final JsonMapper JSON = new JsonMapper();

  @RegisterExtension private static final OwnCluster CLUSTER = OwnCluster.ofAnApiServer();

  private ApiClient client;
  private Etcd etcd;
  private KindClient cohorts;
  private KindClient topologies;

  @BeforeAll
  void connect() {
    client = CLUSTER.api();
    etcd = Etcd.of(CLUSTER.controlPlane());
    cohorts = new KindClient(ApiKind.COHORT, client, etcd);
    topologies = new KindClient(ApiKind.TOPOLOGY, client, etcd);
  }

  @BeforeEach
  void clear() {
    topologies.list(ApiVersion.HUB);
    client.delete(topologies.collection(ApiVersion.HUB)).orThrow();
  }

  @AfterAll
  void stop() {
    etcd.close();
  }

  @Test
  void movesEveryObjectThoughItIsKilledTwiceWhileOthersWriteAndDelete() throws Exception {
    cohorts.storeAt(ApiVersion.V1ALPHA1, OldObjects::cohort);
    cohorts.create(OBJECTS, OldObjects::cohort);
    client.delete(cohorts.path(ApiVersion.V1BETA2, name(0))).orThrow(); // its finalizer holds it
    cohorts.storeAt(ApiVersion.HUB, OldObjects::cohort);
    Map<String, JsonNode> before = cohorts.all(ApiVersion.HUB);
    Map<String, JsonNode> alphaBefore = cohorts.all(ApiVersion.V1ALPHA1);
    assertThat(etcd.versions(ApiKind.COHORT).values()).containsOnly("kueue.x-k8s.io/v1alpha1");
    Path kubeconfig = CLUSTER.controlPlane().kubeconfig();
    var program =
        new MigrateProcess(CLUSTER.folder(), kubeconfig, ApiKind.COHORT, List.of("--page-size=20"));

    try (CohortClients others = new CohortClients(cohorts, client, OBJECTS)) {
      program.killAfter(OBJECTS / 5, OBJECTS / 2);
      program.killAfter(OBJECTS / 2, OBJECTS / 2);
      assertThat(cohorts.storedVersions()).contains("v1alpha1");
      assertThat(program.finish()).contains("going on after");

      others.stop();
      assertThat(cohorts.storedVersions()).containsExactly("v1beta2");
      assertThat(etcd.versions(ApiKind.COHORT).values()).containsOnly("kueue.x-k8s.io/v1beta2");
      others.check(before, cohorts.all(ApiVersion.HUB));
      others.check(alphaBefore, cohorts.all(ApiVersion.V1ALPHA1));
    }
  }

  @Test
  void bearsAnApiServerThatRefusesFailsCutsOffAndForgets() {
    topologies.storeAt(ApiVersion.V1BETA1, OldObjects::topology);
    topologies.create(60, OldObjects::topology);
    topologies.storeAt(ApiVersion.HUB, OldObjects::topology);
    Map<String, JsonNode> before = topologies.all(ApiVersion.HUB);
    AtomicInteger patches = new AtomicInteger();
    AtomicInteger lists = new AtomicInteger();
    AtomicBoolean crdWritten = new AtomicBoolean();

    try (Detour detour =
        Detour.to(client)
            .with(
                call -> call.method().equals("PATCH") ? trouble(patches.incrementAndGet()) : none())
            .with(
                call ->
                    call.target().contains("continue=") && lists.incrementAndGet() == 2
                        ? expired()
                        : none())
            .with(
                call -> {
                  if (call.target().endsWith("/status") && crdWritten.compareAndSet(false, true)) {
                    topologies.annotate(); // so that the definition is no longer the one just read
                  }
                  return none();
                })) {
      Run run =
          migrate(detour.kubeconfig(CLUSTER.folder()), "--kind", "topologies", "--page-size", "16");

      assertThat(run.code()).as(run.err()).isZero();
      assertThat(run.tree().at("/kinds/0/rewritten").asInt()).isEqualTo(60);
      assertThat(run.err()).contains("goes on from its start, skipping what is done");
      assertThat(detour.calls().stream().filter(call -> call.endsWith("/status")).count())
          .isEqualTo(2);
    }
    assertThat(etcd.versions(ApiKind.TOPOLOGY).values()).containsOnly("kueue.x-k8s.io/v1beta2");
    assertThat(topologies.all(ApiVersion.HUB)).isEqualTo(before);
    assertThat(topologies.storedVersions()).containsExactly("v1beta2");
  }

  @Test
  void takesNothingOffWhenTheStorageVersionChangesOnTheWay() {
    topologies.storeAt(ApiVersion.V1ALPHA1, OldObjects::topology);
    topologies.create(3, OldObjects::topology);
    topologies.storeAt(ApiVersion.HUB, OldObjects::topology);
    AtomicBoolean changed = new AtomicBoolean();

    try (Detour detour =
        Detour.to(client)
            .with(
                call -> {
                  if (call.method().equals("PATCH") && changed.compareAndSet(false, true)) {
                    topologies.storeAt(ApiVersion.V1BETA1, OldObjects::topology);
                  }
                  return none();
                })) {
      Run run = migrate(detour.kubeconfig(CLUSTER.folder()), "--kind", "Topology");

      assertThat(run.code()).isEqualTo(1);
      assertThat(run.tree().at("/kinds/0/note").asText()).contains("became v1beta1 meanwhile");
      assertThat(detour.calls()).noneMatch(call -> call.endsWith("/status"));
    }
    assertThat(topologies.storedVersions()).contains("v1alpha1", "v1beta1", "v1beta2");
  }

  @Test
  void saysInADryRunWhatItWouldDoAndWritesNothing() {
    topologies.storeAt(ApiVersion.V1ALPHA1, OldObjects::topology);
    topologies.create(5, OldObjects::topology);
    topologies.storeAt(ApiVersion.HUB, OldObjects::topology);
    Map<String, String> stored = etcd.versions(ApiKind.TOPOLOGY);

    Run run = migrate(CLUSTER.controlPlane().kubeconfig(), "--dry-run", "--kind", "Topology");

    assertThat(run.code()).isZero();
    assertThat(run.tree().at("/kinds/0/outcome").asText()).isEqualTo("would migrate");
    assertThat(run.tree().at("/kinds/0/note").asText()).isEqualTo(stored.size() + " objects");
    assertThat(run.tree().at("/kinds/0/storedVersionsAfter").toString()).isEqualTo("[\"v1beta2\"]");
    assertThat(etcd.versions(ApiKind.TOPOLOGY)).isEqualTo(stored);
    assertThat(topologies.storedVersions()).contains("v1alpha1");
  }

  @Test
  void namesWhatTheApiServerWouldNotStoreAndTriesOnlyThatTheNextTime() {
    topologies.storeAt(ApiVersion.V1ALPHA1, OldObjects::topology);
    topologies.create(5, OldObjects::topology);
    topologies.storeAt(ApiVersion.HUB, OldObjects::topology);
    AtomicBoolean refuses = new AtomicBoolean(true);

    try (Detour detour =
        Detour.to(client)
            .with(
                call ->
                    refuses.get() && call.target().contains("/" + name(3) + "?")
                        ? answer(422, "{\"kind\":\"Status\",\"message\":\"no such level\"}")
                        : none())) {
      Path kubeconfig = detour.kubeconfig(CLUSTER.folder());

      Run first = migrate(kubeconfig, "--kind", "Topology");
      List<String> versions = topologies.storedVersions();
      int calls = detour.calls().size();
      refuses.set(false);
      Run second = migrate(kubeconfig, "--kind", "Topology");

      assertThat(first.code()).isEqualTo(1);
      assertThat(first.tree().at("/kinds/0/failed").toString())
          .isEqualTo("[{\"object\":\"" + name(3) + "\",\"message\":\"no such level\"}]");
      assertThat(versions).contains("v1alpha1");
      assertThat(second.code()).isZero();
      assertThat(
              detour.calls().stream()
                  .skip(calls)
                  .filter(call -> call.startsWith("PATCH") && !call.contains("/status")))
          .hasSize(1)
          .first()
          .asString()
          .contains(name(3));
    }
    assertThat(topologies.storedVersions()).containsExactly("v1beta2");
  }

  @Test
  void whatIsMigratedIsRewrittenAgainOnlyByForce() {
    topologies.create(3, OldObjects::topology);
    migrate(CLUSTER.controlPlane().kubeconfig(), "--kind", "Topology");

    try (Detour detour = Detour.to(client)) {
      Path kubeconfig = detour.kubeconfig(CLUSTER.folder());

      assertThat(migrate(kubeconfig, "--kind", "Topology").code()).isZero();
      assertThat(rewrites(detour)).isEmpty();

      assertThat(migrate(kubeconfig, "--kind", "Topology", "--force").code()).isZero();
      assertThat(rewrites(detour)).hasSize(3);
    }
  }

  private static List<String> rewrites(Detour detour) {
    return detour.calls().stream()
        .filter(call -> call.startsWith("PATCH") && !call.contains("/status"))
        .filter(call -> call.contains("/topologies/"))
        .toList();
  }

  private record Run(int code, String out, String err) {
    JsonNode tree() {
      try {
        return JSON.readTree(out);
      } catch (IOException e) {
        throw new AssertionError(out + err, e);
      }
    }
  }

  private static Run migrate(Path kubeconfig, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "migrate",
                "--settle=1s",
                "--data=" + CLUSTER.folder().resolve("data"),
                "--kubeconfig=" + kubeconfig,
                "-o=json"));
    arguments.addAll(List.of(more));
    Commands.Ran ran = Commands.run(arguments.toArray(String[]::new));
    return new Run(ran.code(), ran.out(), ran.err());
  }

  private static Optional<Detour.Answer> none() {
    return Optional.empty();
  }

  private static Optional<Detour.Answer> answer(int status, String body) {
    return Optional.of(new Detour.Answer(status, Map.of(), body));
  }

  private static Optional<Detour.Answer> expired() {
    return answer(410, "{\"kind\":\"Status\",\"metadata\":{},\"reason\":\"Expired\"}");
  }

  /** Of twenty writes, four go wrong, each in its own way. */
  private static Optional<Detour.Answer> trouble(int number) {
    return switch (number % 20) {
      case 3 -> Optional.of(new Detour.Answer(429, Map.of("Retry-After", "1"), ""));
      case 7 -> answer(500, "{\"kind\":\"Status\",\"message\":\"something broke\"}");
      case 11 -> answer(0, "");
      case 15 -> answer(409, "{\"kind\":\"Status\",\"reason\":\"Conflict\"}");
      default -> none();
    };
  }
}
