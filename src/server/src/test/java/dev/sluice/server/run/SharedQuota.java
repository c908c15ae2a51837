package dev.sluice.server.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.controlplane.ApiClient;
import dev.sluice.manifests.Installation;
import dev.sluice.manifests.Target;
import dev.sluice.server.wiring.ConfigurationFlags.Chosen;
import dev.sluice.webhook.WebhookServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * A cluster whose webhooks a server on this machine answers, with ClusterQueues {@code owner} of 1
 * cpu and {@code other} of 3, which share quota, and {@code alone} of 1.
 */
public final class SharedQuota {
  private static final Duration BOUND = Duration.ofMinutes(2);
  private static final String GROUP = "/apis/kueue.x-k8s.io/v1beta2";
  private static final String WORKLOADS = GROUP + "/namespaces/default/workloads";

  private final ApiClient api;

  public SharedQuota(ApiClient api, WebhookServer server, Chosen chosen) {
    this.api = api;
    install(server, chosen);
    createQueues();
  }

  private void install(WebhookServer server, Chosen chosen) {
    Installation installation =
        Installation.into(new Target.Url(URI.create("https://127.0.0.1:" + server.httpsPort())))
            .trusting(server.caBundlePem())
            .managing(chosen.jobs());
    for (ObjectNode document : installation.documents()) {
      String name = document.at("/metadata/name").asText();
      String path =
          switch (document.path("kind").asText()) {
            case "CustomResourceDefinition" ->
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
            case "MutatingWebhookConfiguration" ->
                "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/";
            default -> "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/";
          };
      api.serverSideApply(path + name, "test", document.toString()).orThrow();
    }
    for (ObjectNode document : installation.documents()) {
      if (document.path("kind").asText().equals("CustomResourceDefinition")) {
        api.awaitEstablished(document.at("/metadata/name").asText(), BOUND);
      }
    }
  }

  private void create(String path, String kind, String members) {
    String object =
        "{'apiVersion':'kueue.x-k8s.io/v1beta2','kind':'%s',%s}".formatted(kind, members);
    Awaitility.await() // the API server finds new webhooks and kinds after a moment
        .atMost(BOUND)
        .untilAsserted(
            () -> assertThat(api.create(path, object.replace('\'', '"')).status()).isIn(201, 409));
  }

  private void createQueues() {
    create(GROUP + "/resourceflavors", "ResourceFlavor", "'metadata':{'name':'f'}");
    createQueue("owner", spec("both", 1));
    createQueue("other", spec("both", 3));
    createQueue("alone", spec("none", 1));
  }

  private void createQueue(String name, String spec) {
    create(
        GROUP + "/clusterqueues",
        "ClusterQueue",
        "'metadata':{'name':'%s'},'spec':%s".formatted(name, spec));
    create(
        GROUP + "/namespaces/default/localqueues",
        "LocalQueue",
        "'metadata':{'name':'%s'},'spec':{'clusterQueue':'%s'}".formatted(name, name));
  }

  private static String spec(String cohort, int cpu) {
    return """
    {'cohortName':'%s','namespaceSelector':{},'preemption':{'reclaimWithinCohort':'Any'},
    'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':[
    {'name':'cpu','nominalQuota':'%d'}]}]}]}\
    """
        .formatted(cohort, cpu);
  }

  /** A Workload of so many pods with one cpu each. */
  public void workload(String name, String queue, int pods) {
    create(
        WORKLOADS,
        "Workload",
        """
        'metadata':{'name':'%s'},'spec':{'queueName':'%s','podSets':[{'name':'main','count':%d,
        'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i',
        'resources':{'requests':{'cpu':'1'}}}]}}}]}\
        """
            .formatted(name, queue, pods));
  }

  public void awaitQuota(String workload) {
    api.await(WORKLOADS + "/" + workload, BOUND, it -> it.at("/status/admission").isObject());
  }

  /** Of an edit of the queue of the owner that is not stored. */
  public List<String> warnings(int cpu) {
    ApiClient.Response edited =
        api.mergePatch(
            GROUP + "/clusterqueues/owner?dryRun=All",
            ("{'spec':" + spec("both", cpu) + "}").replace('\'', '"'));
    return edited.orThrow().warnings();
  }

  /** Another ClusterQueue borrows the quota of the owner, whose Workload then waits. */
  public void borrow() {
    workload("borrows", "other", 4);
    awaitQuota("borrows");
    workload("waits", "owner", 2);
  }

  /** The warning of an edit is that of the engine, as soon as all know the Workloads. */
  public void awaitNamesOfTheEngine() {
    String other = "spec: with this, a workload loses its quota at once: default/borrows";
    Awaitility.await()
        .atMost(BOUND)
        .untilAsserted(() -> assertThat(warnings(2)).containsExactly(other));
    assertThat(warnings(0)).noneMatch(it -> it.contains("loses"));
  }
}
