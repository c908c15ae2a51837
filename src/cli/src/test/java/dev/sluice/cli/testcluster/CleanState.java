package dev.sluice.cli.testcluster;

import dev.sluice.controlplane.ApiClient;
import dev.sluice.controlplane.ControlPlane;
import dev.sluice.controlplane.ControlPlane.Part;
import dev.sluice.controlplane.Poll;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What a control plane stores before anybody uses it. It is brought back to that by removing what
 * was added, in etcd: a finalizer holds nothing up, and no controller acts on it.
 */
final class CleanState {
  private static final String ROOT = "/registry/";
  private static final String DEFINITIONS =
      ROOT + "apiextensions.k8s.io/customresourcedefinitions/";
  private static final String SERVICES = ROOT + "apiregistration.k8s.io/apiservices/";
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(50);

  /** Kubernetes writes these at any time, even if nobody uses the cluster. */
  private static final List<String> WRITTEN_ANYWAY =
      List.of(
          ROOT + "leases/kube-system/apiserver-",
          ROOT + "masterleases/",
          ROOT + "peerserverleases/",
          ROOT + "services/endpoints/default/kubernetes",
          ROOT + "endpointslices/default/kubernetes",
          ROOT + "ranges/",
          ROOT + "servicecidrs/kubernetes",
          // the controller of aggregated roles gathers their rules
          ROOT + "clusterroles/admin",
          ROOT + "clusterroles/edit",
          ROOT + "clusterroles/view");

  /** What of these was added can refuse or serve a request even a moment after it is gone. */
  private static final List<String> IN_THE_WAY =
      List.of(
          ROOT + "mutatingwebhookconfigurations/",
          ROOT + "validatingwebhookconfigurations/",
          ROOT + "mutatingadmissionpolicies/",
          ROOT + "mutatingadmissionpolicybindings/",
          ROOT + "validatingadmissionpolicies/",
          ROOT + "validatingadmissionpolicybindings/",
          ROOT + "flowschemas/",
          ROOT + "prioritylevelconfigurations/");

  private final ControlPlane controlPlane;
  private final Optional<Long> apiServer;
  private final SortedMap<String, Long> clean;

  private CleanState(ControlPlane controlPlane) {
    this.controlPlane = controlPlane;
    this.apiServer = controlPlane.pid(Part.KUBE_APISERVER);
    this.clean = stored();
  }

  /** What it stores now. */
  static CleanState of(ControlPlane controlPlane) {
    return new CleanState(controlPlane);
  }

  private SortedMap<String, Long> stored() {
    try (Etcd etcd = Etcd.of(controlPlane)) {
      return etcd.revisions(ROOT);
    }
  }

  /**
   * Removes what was added; or says why nobody can rely on it: something is changed that was there
   * before, or was added and works on after its end, or the API server is another process.
   */
  Optional<String> restore() {
    if (!controlPlane.pid(Part.KUBE_APISERVER).equals(apiServer)) {
      return Optional.of("the API server was started again");
    }
    SortedMap<String, Long> now = stored();
    Optional<String> obstacle =
        Stream.concat(
                clean.entrySet().stream()
                    .filter(entry -> !isAsBefore(entry, now))
                    .map(Map.Entry::getKey),
                added(now).stream().filter(startsWith(IN_THE_WAY)))
            .findFirst();
    if (obstacle.isPresent()) {
      return obstacle;
    }
    removeObjects(now);
    removeKinds(now);
    return Poll.until(BOUND, PAUSE, this::isClean)
        ? Optional.empty()
        : Optional.of("a kind is served that was removed");
  }

  private static boolean isAsBefore(Map.Entry<String, Long> before, SortedMap<String, Long> now) {
    return Objects.equals(now.get(before.getKey()), before.getValue())
        || startsWith(WRITTEN_ANYWAY).test(before.getKey());
  }

  private static Predicate<String> startsWith(List<String> prefixes) {
    return key -> prefixes.stream().anyMatch(key::startsWith);
  }

  private Set<String> added(SortedMap<String, Long> now) {
    Set<String> added = new TreeSet<>(now.keySet());
    added.removeAll(clean.keySet());
    return added;
  }

  private void removeObjects(SortedMap<String, Long> now) {
    Set<String> objects = added(now);
    objects.removeIf(startsWith(List.of(DEFINITIONS, SERVICES)));
    try (Etcd etcd = Etcd.of(controlPlane)) {
      etcd.delete(objects);
    }
  }

  /** The API server has work to do when a kind goes, and takes its APIService away by itself. */
  private void removeKinds(SortedMap<String, Long> now) {
    ApiClient api = controlPlane.client();
    for (String key : added(now)) {
      if (key.startsWith(DEFINITIONS)) {
        api.delete(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
                    + key.substring(DEFINITIONS.length()))
            .orThrow();
      }
    }
  }

  /** Whether no kind and no served version is left that was added. */
  private boolean isClean() {
    return added(stored()).stream().noneMatch(startsWith(List.of(DEFINITIONS, SERVICES)));
  }
}
