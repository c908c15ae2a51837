package dev.sluice.cluster.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.cluster.api.Connection;
import dev.sluice.cluster.view.KindStatus.State;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.testkit.FullTier;
import dev.sluice.testkit.controlplane.NeedsControlPlane;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A view of a real control plane, which is stopped and started under it. */
@FullTier
@NeedsControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WatchedViewE2E {
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final GroupKind NAMESPACE = new GroupKind("", "Namespace");
  private static final GroupKind JOB = new GroupKind("batch", "Job");
  private static final GroupKind POD = new GroupKind("", "Pod");
  private static final GroupKind JOB_SET = new GroupKind("jobset.x-k8s.io", "JobSet");
  private static final WatchTimes QUICK =
      new WatchTimes(
          Duration.ofSeconds(10),
          7,
          Duration.ofSeconds(60),
          Duration.ofSeconds(90),
          Duration.ofMillis(100),
          Duration.ofSeconds(1),
          Duration.ofMillis(500));
  private static final Duration AMPLE = Duration.ofSeconds(30);
  private static final String NS = "seen";

  private ControlPlane controlPlane = ControlPlane.start(ControlPlane.Options.apiServer());
  private ApiClient client = controlPlane.client();
  private Connection connection = Connection.to(controlPlane.kubeconfig());
  private WatchedView view =
      new WatchedView(
          connection,
          WatchedKinds.of(Configuration.defaults("sluice-system"), Extensions.DEFAULT),
          QUICK,
          new Random(7));

  @BeforeAll
  void startTheView() {
    view.start();
    create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"seen\",\"labels\":{\"team\":\"a\"}}}");
    until(() -> assertThat(view.missing()).isEmpty());
  }

  @AfterAll
  void stop() {
    view.close();
    connection.close();
    controlPlane.close();
  }

  private JsonNode create(String path, String body) {
    return client.create(path, body).orThrow().json();
  }

  private static void until(Runnable assertion) {
    await().atMost(Duration.ofSeconds(40)).untilAsserted(assertion::run);
  }

  private static String pod(String name, String owner) {
    return """
    {"metadata":{"name":"%s","labels":{"app":"x"},"annotations":{"example.com/noise":"%s"},
    "ownerReferences":[{"apiVersion":"batch/v1","kind":"Job","name":"j","uid":"%s",
    "controller":true}]},"spec":{"containers":[{"name":"c","image":"i"}],
    "schedulingGates":[{"name":"kueue.x-k8s.io/admission"}]}}\
    """
        .formatted(name, "x".repeat(500), owner);
  }

  private static String job(String name) {
    return """
    {"metadata":{"name":"%s","labels":{"kueue.x-k8s.io/queue-name":"q"}},"spec":{"parallelism":2,
    "suspend":true,"template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c",
    "image":"i"}]}}}}\
    """
        .formatted(name);
  }

  @Test
  void isCompleteWithoutKindsThatTheClusterDoesNotHave() {
    assertThat(view.knows(NAMESPACE)).isTrue();
    assertThat(view.knows(JOB_SET)).isFalse();
    assertThat(view.statuses())
        .filteredOn(status -> status.kind().equals(JOB_SET))
        .extracting(KindStatus::state)
        .containsExactly(State.NOT_SERVED);
    assertThat(view.find(NAMESPACE, "", NS).orElseThrow().at("/metadata/labels/team").asText())
        .isEqualTo("a");
  }

  @Test
  void followsJobsAndTheirPodsAndKeepsLittleOfThem() {
    JsonNode job = create("/apis/batch/v1/namespaces/seen/jobs", job("j"));
    String uid = job.at("/metadata/uid").asText();
    create("/api/v1/namespaces/seen/pods", pod("p-b", uid));
    create("/api/v1/namespaces/seen/pods", pod("p-a", uid));

    until(() -> assertThat(names(view.controlledBy(POD, uid))).containsExactly("p-a", "p-b"));
    until(() -> assertThat(view.find(JOB, NS, "j")).isPresent());
    JsonNode seen = view.find(JOB, NS, "j").orElseThrow();
    assertThat(seen.at("/spec/suspend").asBoolean()).isTrue();
    assertThat(seen.at("/spec/template").isMissingNode()).isTrue();
    JsonNode pod = view.find(POD, NS, "p-a").orElseThrow();
    assertThat(pod.path("apiVersion").asText()).isEqualTo("v1");
    assertThat(pod.at("/status/phase").asText()).isEqualTo("Pending");
    assertThat(pod.at("/spec/schedulingGates")).hasSize(1);
    assertThat(pod.at("/metadata/managedFields").isMissingNode()).isTrue();
    assertThat(pod.at("/metadata/annotations")).isEmpty();
    assertThat(new LiveJobs(connection).read(NS, "j", uid, AMPLE).orElseThrow())
        .satisfies(
            live -> {
              assertThat(live.job().at("/metadata/uid").asText()).isEqualTo(uid);
              assertThat(live.pods()).isEmpty(); // these pods lack the label of a Job's own
            });

    client.mergePatch("/apis/batch/v1/namespaces/seen/jobs/j", "{\"spec\":{\"suspend\":false}}");
    client.delete("/api/v1/namespaces/seen/pods/p-a");

    until(
        () ->
            assertThat(view.find(JOB, NS, "j").orElseThrow().at("/spec/suspend").asBoolean(true))
                .isFalse());
    until(() -> assertThat(names(view.controlledBy(POD, uid))).containsExactly("p-b"));
  }

  @Test
  void looksUpAJobThatIsGone() {
    assertThat(new LiveJobs(connection).read(NS, "none", "u", AMPLE).orElseThrow())
        .satisfies(gone -> assertThat(gone.job()).isEmpty());
  }

  @Test
  void picksUpAKindThatComesLaterAndForgetsItWhenItGoes() {
    assertThat(served(JOB_SET)).isZero();
    create(CRDS, crd("jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets"));
    client.awaitEstablished("jobsets.jobset.x-k8s.io", Duration.ofSeconds(20));
    client.await("/apis/jobset.x-k8s.io/v1alpha2/jobsets", Duration.ofSeconds(20), _ -> true);
    create(
        "/apis/jobset.x-k8s.io/v1alpha2/namespaces/seen/jobsets",
        """
        {"apiVersion":"jobset.x-k8s.io/v1alpha2","kind":"JobSet","metadata":{"name":"s",
        "labels":{"kueue.x-k8s.io/queue-name":"q"}},"spec":{"suspend":true}}\
        """);

    until(() -> assertThat(view.find(JOB_SET, NS, "s")).isPresent());
    assertThat(view.knows(JOB_SET)).isTrue();
    until(() -> assertThat(served(JOB_SET)).isOne());
    assertThat(view.find(JOB_SET, NS, "s").orElseThrow().path("kind").asText()).isEqualTo("JobSet");

    client.delete(CRDS + "/jobsets.jobset.x-k8s.io");

    until(() -> assertThat(view.knows(JOB_SET)).isFalse());
    assertThat(view.find(JOB_SET, NS, "s")).isEmpty();
    assertThat(served(JOB_SET)).isZero();
  }

  /** What the metric says of a kind. */
  private double served(GroupKind kind) {
    var registry = new SimpleMeterRegistry();
    view.bindTo(registry);
    return registry.get("sluice.view.served").tag("kind", kind.toString()).gauge().value();
  }

  static String crd(String group, String version, String kind, String plural) {
    return """
    {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
    "metadata":{"name":"%4$s.%1$s","annotations":{"api-approved.kubernetes.io":"unapproved, test"}},
    "spec":{"group":"%1$s","scope":"Namespaced","names":{"kind":"%3$s","plural":"%4$s"},
    "versions":[{"name":"%2$s","served":true,"storage":true,"schema":{"openAPIV3Schema":{
    "type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}\
    """
        .formatted(group, version, kind, plural);
  }

  /**
   * A law: whatever was written, and while the API server went and came, the view ends as a list.
   */
  @Test
  void isEqualToAListAfterAnySequenceOfWritesAndRestarts() {
    Random random = new Random(42);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 40; i++) {
        write(random);
      }
      controlPlane.stopApiServer();
      assertThat(view.find(NAMESPACE, "", NS)).isPresent();
      controlPlane.restartApiServer();
    }
    write(random);

    until(() -> assertThat(versionsInView()).isEqualTo(versionsListed()));
    until(
        () ->
            assertThat(view.statuses())
                .filteredOn(status -> status.state() == State.STALE)
                .isEmpty());
  }

  private void write(Random random) {
    String name = "w-" + random.nextInt(12);
    String pods = "/api/v1/namespaces/seen/pods";
    switch (random.nextInt(3)) {
      case 0 -> client.create(pods, pod(name, "u" + random.nextInt(3)));
      case 1 -> client.delete(pods + "/" + name);
      default ->
          client.mergePatch(
              pods + "/" + name,
              "{\"metadata\":{\"labels\":{\"n\":\"" + random.nextInt() + "\"}}}");
    }
  }

  private Map<String, String> versionsInView() {
    return versions(view.list(POD, NS));
  }

  private Map<String, String> versionsListed() {
    return versions(client.get("/api/v1/namespaces/seen/pods").orThrow().json().path("items"));
  }

  private static Map<String, String> versions(Iterable<JsonNode> objects) {
    Map<String, String> versions = new TreeMap<>();
    for (JsonNode object : objects) {
      versions.put(
          object.at("/metadata/name").asText(), object.at("/metadata/resourceVersion").asText());
    }
    return versions;
  }

  private static List<String> names(List<JsonNode> objects) {
    return objects.stream().map(it -> it.at("/metadata/name").asText()).toList();
  }
}
