package dev.sluice.cli.schedule;

import static dev.sluice.api.ApiKind.ADMISSION_CHECK;
import static dev.sluice.api.ApiKind.CLUSTER_QUEUE;
import static dev.sluice.api.ApiKind.LOCAL_QUEUE;
import static dev.sluice.api.ApiKind.MULTI_KUEUE_CLUSTER;
import static dev.sluice.api.ApiKind.MULTI_KUEUE_CONFIG;
import static dev.sluice.api.ApiKind.RESOURCE_FLAVOR;
import static dev.sluice.cli.schedule.Fleet.HOME;
import static dev.sluice.cli.schedule.Fleet.NAMESPACE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sluice.cli.Commands;
import dev.sluice.cli.installed.Printed;
import dev.sluice.cli.testcluster.Kueue;
import dev.sluice.cli.testcluster.OwnCluster;
import dev.sluice.controlplane.ApiClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an operator creates on a manager and its workers. */
final class FleetSetup {
  /** Who the manager is on its workers. */
  static final String USER = "system:serviceaccount:multikueue:sluice-manager";

  private static final Pattern TOKEN = Pattern.compile("token\"?: *\"?([^\"\\s]+)");

  private FleetSetup() {}

  /** Creates what a manager and workers need before queues. */
  static void connect(ApiClient manager, Map<String, OwnCluster> workers) {
    namespace(manager, HOME);
    namespace(manager, NAMESPACE);
    workers.forEach(
        (name, cluster) -> {
          namespace(cluster.api(), NAMESPACE);
          manager
              .create("/api/v1/namespaces/" + HOME + "/secrets", secret(name, cluster))
              .orThrow();
          Kueue.create(
                  manager,
                  MULTI_KUEUE_CLUSTER,
                  name,
                  """
                  {"clusterSource":{"kubeConfig":{"locationType":"Secret","location":"%s"}}}\
                  """
                      .formatted(name))
              .orThrow();
        });
    Kueue.create(manager, MULTI_KUEUE_CONFIG, "config", "{\"clusters\":[\"a\",\"b\"]}").orThrow();
    Kueue.create(
            manager,
            ADMISSION_CHECK,
            "multikueue",
            """
            {"controllerName":"kueue.x-k8s.io/multikueue","parameters":{
            "apiGroup":"kueue.x-k8s.io","kind":"MultiKueueConfig","name":"config"}}\
            """)
        .orThrow();
  }

  static void namespace(ApiClient api, String name) {
    api.serverSideApply( // a worker of two managers has it already
            "/api/v1/namespaces/" + name,
            "test",
            "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}"
                .formatted(name))
        .orThrow();
  }

  /**
   * What an operator does on a worker: makes the account of the manager, and asks for its
   * kubeconfig.
   */
  private static String secret(String name, OwnCluster worker) {
    Printed.apply(worker.api(), documents(run("multikueue", "account")));
    return documents(
            run(
                "multikueue",
                "kubeconfig",
                "--kubeconfig=" + worker.controlPlane().kubeconfig(),
                "--secret=" + name,
                "--namespace=" + HOME))
        .getFirst()
        .toString();
  }

  /** The tokens in the kubeconfigs of a manager. */
  static List<String> tokens(ApiClient manager) {
    List<String> tokens = new ArrayList<>();
    JsonNode secrets = manager.get("/api/v1/namespaces/" + HOME + "/secrets").orThrow().json();
    for (JsonNode secret : secrets.path("items")) {
      byte[] kubeconfig = Base64.getDecoder().decode(secret.at("/data/kubeconfig").asText());
      Matcher token = TOKEN.matcher(new String(kubeconfig, UTF_8));
      while (token.find()) {
        tokens.add(token.group(1));
      }
    }
    assertThat(tokens).isNotEmpty();
    return tokens;
  }

  private static String run(String... command) {
    Commands.Ran ran = Commands.run(command);
    assertThat(ran.code()).as(ran.err()).isZero();
    return ran.out();
  }

  private static List<JsonNode> documents(String yaml) {
    try (MappingIterator<JsonNode> documents =
        new YAMLMapper().readerFor(JsonNode.class).readValues(yaml)) {
      return documents.readAll();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What an operator grants for a kind that the printed account does not name. */
  static void allow(ApiClient worker, String group, String resource) {
    String rbac = "/apis/rbac.authorization.k8s.io/v1/";
    worker
        .create(
            rbac + "clusterroles",
            """
            {"metadata":{"name":"%s"},"rules":[{"apiGroups":["%s"],"resources":["%s"],"verbs":[
            "get","list","watch","create","delete"]}]}\
            """
                .formatted(resource, group, resource))
        .orThrow();
    worker
        .create(
            rbac + "clusterrolebindings",
            """
            {"metadata":{"name":"%s"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io",
            "kind":"ClusterRole","name":"%s"},"subjects":[{"kind":"ServiceAccount",
            "namespace":"multikueue","name":"sluice-manager"}]}\
            """
                .formatted(resource, resource))
        .orThrow();
  }

  /** Creates a queue of 10 cpu. */
  static void queue(ApiClient api, String name, String more) {
    queue(api, name, 10, more);
  }

  /**
   * Creates a queue with a flavor and a LocalQueue of its name.
   *
   * @param more members of its spec, each after a comma
   */
  static void queue(ApiClient api, String name, int cpu, String more) {
    Kueue.create(api, RESOURCE_FLAVOR, name, "{}").orThrow();
    String spec = Kueue.clusterQueue(name, cpu);
    Kueue.create(api, CLUSTER_QUEUE, name, spec.substring(0, spec.length() - 1) + more + "}")
        .orThrow();
    Kueue.create(api, LOCAL_QUEUE, NAMESPACE, name, Kueue.localQueue(name)).orThrow();
  }
}
