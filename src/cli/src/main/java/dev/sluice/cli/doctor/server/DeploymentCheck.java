package dev.sluice.cli.doctor.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.cli.cluster.Answer;
import dev.sluice.cli.doctor.check.Check;
import dev.sluice.cli.doctor.check.Cluster;
import dev.sluice.cli.doctor.check.Findings;
import dev.sluice.cli.doctor.check.Remedies;
import dev.sluice.manifests.Target;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whether the replicas of a server in the cluster run, and run one version. */
public final class DeploymentCheck implements Check {
  private static final Set<String> TROUBLE =
      Set.of(
          "ImagePullBackOff",
          "ErrImagePull",
          "InvalidImageName",
          "CrashLoopBackOff",
          "CreateContainerConfigError",
          "CreateContainerError",
          "OOMKilled");

  private final Cluster cluster;
  private final ServerPlace place;
  private final @Nullable String ownVersion;

  /**
   * A check.
   *
   * @param ownVersion of this program; null if it is not known
   */
  public DeploymentCheck(Cluster cluster, ServerPlace place, @Nullable String ownVersion) {
    this.cluster = cluster;
    this.place = place;
    this.ownVersion = ownVersion;
  }

  @Override
  public void check(Findings findings) {
    if (place.service().isEmpty()) {
      return; // a server outside the cluster
    }
    Target.Service service = place.service().get();
    Optional<JsonNode> deployment = place.deployment();
    if (deployment.isEmpty()) {
      absent(service, findings);
      return;
    }
    String object = "deployment/" + deployment.get().at("/metadata/name").asText();
    replicas(object, deployment.get(), findings);
    images(object, deployment.get(), findings);
    pods(service, deployment.get(), findings);
  }

  private void absent(Target.Service service, Findings findings) {
    String object = "service %s/%s".formatted(service.namespace(), service.name());
    Answer answer = cluster.get("/apis/apps/v1/namespaces/" + service.namespace() + "/deployments");
    if (answer.isSuccess()) {
      findings.error(object, "has no Deployment behind it: nobody answers", Remedies.INSTALL);
    } else {
      findings.warning(
          object, "what is behind it cannot be read: " + answer.message(), Remedies.RIGHTS);
    }
  }

  private static void replicas(String object, JsonNode deployment, Findings findings) {
    int wanted = deployment.at("/spec/replicas").asInt(1);
    int ready = deployment.at("/status/readyReplicas").asInt(0);
    int updated = deployment.at("/status/updatedReplicas").asInt(0);
    String pods =
        "kubectl -n %s describe %s, and get pods"
            .formatted(deployment.at("/metadata/namespace").asText(), object);
    if (wanted == 0) {
      findings.error(
          object,
          "has 0 replicas: nobody answers",
          "kubectl -n %s scale %s --replicas=2"
              .formatted(deployment.at("/metadata/namespace").asText(), object));
    } else if (ready == 0) {
      findings.error(object, "none of %d replicas is ready".formatted(wanted), pods);
    } else if (ready < wanted) {
      findings.warning(object, "%d of %d replicas are ready".formatted(ready, wanted), pods);
    } else if (updated < wanted) {
      findings.warning(
          object, "a rollout is under way: %d of %d are new".formatted(updated, wanted), pods);
    } else {
      findings.ok(object, "%d of %d replicas are ready".formatted(ready, wanted));
    }
  }

  /** The two programs of a Pod speak with each other, and are of one version. */
  private void images(String object, JsonNode deployment, Findings findings) {
    Set<String> images = new TreeSet<>();
    deployment
        .at("/spec/template/spec/containers")
        .forEach(
            container -> {
              if (!container.path("args").isEmpty()) { // else a stranger beside ours
                images.add(container.path("image").asText());
              }
            });
    if (images.size() > 1) {
      findings.error(
          object,
          "its containers have different images: " + String.join(", ", images),
          Remedies.INSTALL);
      return;
    }
    String image = images.isEmpty() ? "" : images.iterator().next();
    String tag = image.substring(image.lastIndexOf(':') + 1);
    if (ownVersion != null && !image.contains("@") && !tag.equals(ownVersion)) {
      findings.warning(
          object,
          "runs %s, and this is version %s: versions may differ by one"
              .formatted(image, ownVersion),
          "use the doctor of that version, or upgrade: docs/tasks/upgrade.md");
    } else {
      findings.ok(object, "all containers run " + image);
    }
  }

  private void pods(Target.Service service, JsonNode deployment, Findings findings) {
    String selector =
        String.join(
            ",",
            deployment
                .at("/spec/selector/matchLabels")
                .propertyStream()
                .map(it -> it.getKey() + "%3D" + it.getValue().asText())
                .toList());
    Answer answer =
        cluster.get(
            "/api/v1/namespaces/%s/pods?labelSelector=%s"
                .formatted(service.namespace(), selector.replace("/", "%2F")));
    if (!answer.isSuccess()) {
      findings.warning("pods", "cannot be read: " + answer.message(), Remedies.RIGHTS);
      return;
    }
    Set<String> images = new TreeSet<>();
    for (JsonNode pod : answer.json().path("items")) {
      pod.at("/spec/containers").forEach(it -> images.add(it.path("image").asText()));
      for (JsonNode status : pod.at("/status/containerStatuses")) {
        trouble(pod, status, findings);
      }
    }
    if (images.size() > 1) {
      findings.warning(
          "pods",
          "run different images: " + String.join(", ", images),
          "wait for the rollout: kubectl -n %s rollout status deployment/%s"
              .formatted(service.namespace(), deployment.at("/metadata/name").asText()));
    }
  }

  private static void trouble(JsonNode pod, JsonNode status, Findings findings) {
    String name = pod.at("/metadata/name").asText();
    String namespace = pod.at("/metadata/namespace").asText();
    String container = status.path("name").asText();
    String waits = status.at("/state/waiting/reason").asText();
    String ended = status.at("/lastState/terminated/reason").asText();
    if (TROUBLE.contains(waits)) {
      findings.error(
          "pod/" + name,
          "container %s: %s: %s"
              .formatted(container, waits, status.at("/state/waiting/message").asText()),
          waits.contains("Image")
              ? "bring the image to the nodes, or name it: sluice install --image"
              : "kubectl -n %s logs %s -c %s --previous".formatted(namespace, name, container));
    } else if (TROUBLE.contains(ended)) {
      findings.warning(
          "pod/" + name,
          "container %s was restarted %d times, last: %s"
              .formatted(container, status.path("restartCount").asInt(), ended),
          "kubectl -n %s logs %s -c %s --previous".formatted(namespace, name, container));
    }
  }
}
