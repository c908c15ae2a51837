package dev.sluice.cli.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.cluster.ApiServer;
import dev.sluice.cli.cluster.ApiServer.Call;
import dev.sluice.cli.cluster.Pages;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.server.program.CommandException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads of a cluster what decides about workloads. */
final class LiveObjects {
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final int NOT_FOUND = 404;

  private final ApiServer cluster;

  /** A kind, and where it is listed. */
  private record Kind(String apiVersion, String name, String path) {
    static Kind ours(ApiKind kind) {
      String version = kind.hub().apiVersion();
      return new Kind(version, kind.kind(), "/apis/" + version + "/" + kind.plural());
    }
  }

  private static final List<Kind> KINDS =
      List.of(
          new Kind("v1", "Namespace", "/api/v1/namespaces"),
          new Kind("v1", "LimitRange", "/api/v1/limitranges"),
          new Kind("v1", "Node", "/api/v1/nodes"),
          new Kind("node.k8s.io/v1", "RuntimeClass", "/apis/node.k8s.io/v1/runtimeclasses"),
          Kind.ours(ApiKind.TOPOLOGY),
          Kind.ours(ApiKind.RESOURCE_FLAVOR),
          Kind.ours(ApiKind.ADMISSION_CHECK),
          Kind.ours(ApiKind.WORKLOAD_PRIORITY_CLASS),
          Kind.ours(ApiKind.COHORT),
          Kind.ours(ApiKind.CLUSTER_QUEUE),
          Kind.ours(ApiKind.LOCAL_QUEUE),
          Kind.ours(ApiKind.WORKLOAD));

  private static final String DEVICES = "resource.k8s.io/v1";
  private static final List<Kind> OF_DEVICES =
      List.of(
          new Kind(
              DEVICES, "ResourceClaimTemplate", "/apis/" + DEVICES + "/resourceclaimtemplates"),
          new Kind(DEVICES, "DeviceClass", "/apis/" + DEVICES + "/deviceclasses"));
  private static final Kind RESOURCE_SLICE =
      new Kind(DEVICES, "ResourceSlice", "/apis/" + DEVICES + "/resourceslices");

  /** Without rights to these, nothing is said of other clusters. */
  private static final List<Kind> OF_OTHER_CLUSTERS =
      List.of(Kind.ours(ApiKind.MULTI_KUEUE_CONFIG), Kind.ours(ApiKind.MULTI_KUEUE_CLUSTER));

  /** Those on a node that have not ended. */
  private static final String ON_NODES =
      "&fieldSelector="
          + URLEncoder.encode(
              "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed", UTF_8);

  LiveObjects(ApiServer cluster) {
    this.cluster = cluster;
  }

  /**
   * All of them.
   *
   * @param configuration says whether devices are counted; a cluster may have no kinds for them
   * @throws CommandException naming the kind that cannot be listed, with the API server's words
   */
  List<JsonNode> read(EngineConfiguration configuration) {
    List<JsonNode> all = new ArrayList<>();
    KINDS.forEach(kind -> list(kind, all));
    OF_OTHER_CLUSTERS.stream().filter(this::mayList).forEach(kind -> list(kind, all));
    if (configuration.countsDevices() && serves(DEVICES)) {
      OF_DEVICES.forEach(kind -> list(kind, all));
      if (!configuration.driversOfDevices().isEmpty()) {
        list(RESOURCE_SLICE, all);
      }
    }
    return all;
  }

  /**
   * Hands on each Pod that uses a node.
   *
   * @return why they cannot be listed; empty if they can
   */
  Optional<String> pods(Consumer<JsonNode> each) {
    return Pages.each(
            path -> cluster.send(Call.get(path, BOUND)), "/api/v1/pods", ON_NODES, Pages.SIZE, each)
        .map(Answer::message);
  }

  /**
   * The Workload of that name; missing if there is none.
   *
   * @throws CommandException if the API server does not say
   */
  JsonNode workload(ObjectKey key) {
    String path =
        "/apis/%s/namespaces/%s/%s/%s"
            .formatted(
                ApiKind.WORKLOAD.hub().apiVersion(),
                key.namespace(),
                ApiKind.WORKLOAD.plural(),
                key.name());
    Answer answer = cluster.send(Call.get(path, BOUND));
    if (answer.status() == NOT_FOUND) {
      return MissingNode.getInstance();
    }
    if (!answer.isSuccess()) {
      throw new CommandException(
          "Workload %s cannot be read on %s: %s".formatted(key, cluster.base(), answer.message()));
    }
    return answer.json();
  }

  private boolean mayList(Kind kind) {
    return cluster.send(Call.get(kind.path() + "?limit=1", BOUND)).isSuccess();
  }

  private boolean serves(String groupVersion) {
    return cluster.send(Call.get("/apis/" + groupVersion, BOUND)).status() != NOT_FOUND;
  }

  private void list(Kind kind, List<JsonNode> all) {
    Optional<Answer> refusal =
        Pages.each(
            path -> cluster.send(Call.get(path, BOUND)),
            kind.path(),
            "",
            Pages.SIZE,
            item ->
                all.add(
                    ((ObjectNode) item)
                        .put("apiVersion", kind.apiVersion())
                        .put("kind", kind.name())));
    if (refusal.isPresent()) {
      throw new CommandException(kind.name() + " cannot be listed: " + refusal.get().message());
    }
  }
}
