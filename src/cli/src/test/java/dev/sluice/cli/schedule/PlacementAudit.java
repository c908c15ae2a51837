package dev.sluice.cli.schedule;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.TopologyAssignment;
import dev.sluice.quota.topology.AssignmentCodec;
import dev.sluice.quota.topology.PodPlacement;
import dev.sluice.testkit.ApiClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Keeps every revision of every Workload and Pod of a namespace, and goes through them afterwards
 * in the order in which they were written: a pod is bound once, to a place that its Workload has
 * and that no other pod of it took; no node is given to more than it holds; and what was asked to
 * be together is.
 */
final class PlacementAudit implements AutoCloseable {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String GATE = "kueue.x-k8s.io/topology";
  private static final String HOSTNAME = "kubernetes.io/hostname";

  private record Revision(long version, boolean gone, JsonNode object) {
    boolean isPod() {
      return !object.path("spec").has("podSets");
    }

    String name() {
      return object.at("/metadata/name").asText();
    }
  }

  private record Bound(String workload, String host, boolean live) {}

  private final int cpuOfANode;
  private final Function<String, String> rack;
  private final List<Revision> revisions = new ArrayList<>();
  private final List<InputStream> streams = new ArrayList<>();

  /**
   * Starts to watch.
   *
   * @param rack the rack of a node
   */
  PlacementAudit(ApiClient api, String namespace, int cpuOfANode, Function<String, String> rack) {
    this.cpuOfANode = cpuOfANode;
    this.rack = rack;
    watch(api, "/apis/kueue.x-k8s.io/v1beta2/namespaces/" + namespace + "/workloads");
    watch(api, "/api/v1/namespaces/" + namespace + "/pods");
  }

  private void watch(ApiClient api, String collection) {
    InputStream stream = api.open(collection + "?watch=1&resourceVersion=0&timeoutSeconds=3000");
    streams.add(stream);
    Thread.ofVirtual()
        .name("placement-audit")
        .start(() -> follow(new BufferedReader(new InputStreamReader(stream, UTF_8))));
  }

  private void follow(BufferedReader events) {
    try {
      for (@Nullable String line = events.readLine(); line != null; line = events.readLine()) {
        keep(JSON.readTree(line));
      }
    } catch (IOException _) {
      // the test is over
    }
  }

  private synchronized void keep(JsonNode event) {
    JsonNode object = event.path("object");
    long version = object.at("/metadata/resourceVersion").asLong();
    revisions.add(new Revision(version, event.path("type").asText().equals("DELETED"), object));
  }

  /** How many revisions were seen. */
  synchronized int size() {
    return revisions.size();
  }

  private synchronized List<Revision> inOrder() {
    List<Revision> sorted = new ArrayList<>(revisions);
    sorted.sort(Comparator.comparingLong(Revision::version));
    return sorted;
  }

  /** What happened and must not have. */
  Set<String> breaches() {
    return new Replay().all(inOrder());
  }

  /** The pods that were bound, by name. */
  Set<String> bound() {
    Set<String> bound = new HashSet<>();
    for (Revision revision : inOrder()) {
      if (revision.isPod() && !host(revision.object()).isEmpty()) {
        bound.add(revision.name());
      }
    }
    return bound;
  }

  static String host(JsonNode pod) {
    return isGated(pod) ? "" : pod.at("/spec/nodeSelector").path(HOSTNAME).asText();
  }

  static boolean isGated(JsonNode pod) {
    for (JsonNode gate : pod.at("/spec/schedulingGates")) {
      if (gate.path("name").asText().equals(GATE)) {
        return true;
      }
    }
    return false;
  }

  /** How many pods of the Workload are to be on each node; empty where it has no places. */
  static Map<String, Integer> places(JsonNode workload) {
    Map<String, Integer> places = new HashMap<>();
    for (JsonNode assignment : workload.at("/status/admission/podSetAssignments")) {
      JsonNode topology = assignment.path("topologyAssignment");
      if (topology.isObject()) {
        PodPlacement placement =
            AssignmentCodec.decode(HubObjects.read(TopologyAssignment.class, topology));
        placement
            .domains()
            .forEach(
                domain -> places.merge(domain.values().getLast(), domain.pods(), Integer::sum));
      }
    }
    return places;
  }

  /** One way through the revisions. */
  private final class Replay {
    private final Set<String> breaches = new LinkedHashSet<>();
    private final Map<String, JsonNode> workloads = new HashMap<>();
    private final Map<String, Bound> pods = new HashMap<>();
    private final Map<String, Map<String, Integer>> taken = new HashMap<>();
    private final Map<String, Integer> cpuOn = new HashMap<>();

    Set<String> all(List<Revision> revisions) {
      for (Revision revision : revisions) {
        if (revision.isPod()) {
          pod(revision);
        } else {
          workload(revision);
        }
      }
      return breaches;
    }

    private void workload(Revision revision) {
      JsonNode workload = revision.object();
      Map<String, Integer> before = taken.getOrDefault(revision.name(), Map.of());
      boolean holds =
          !revision.gone()
              && Conditions.isTrue(workload, "QuotaReserved")
              && !Conditions.isTrue(workload, "Finished");
      Map<String, Integer> now = holds ? places(workload) : Map.of();
      workloads.put(revision.name(), workload);
      if (now.equals(before)) {
        return;
      }
      taken.put(revision.name(), now);
      int cpu = cpu(workload);
      before.forEach((host, count) -> cpuOn.merge(host, -count * cpu, Integer::sum));
      now.forEach((host, count) -> cpuOn.merge(host, count * cpu, Integer::sum));
      for (String host : now.keySet()) {
        if (cpuOn.getOrDefault(host, 0) > cpuOfANode) {
          breaches.add(
              "%d of %d cpu are given of %s, at last to %s"
                  .formatted(cpuOn.get(host), cpuOfANode, host, revision.name()));
        }
      }
      if (!now.isEmpty()) {
        together(revision.name(), workload, now);
      }
    }

    private static int cpu(JsonNode workload) {
      return workload
          .at("/spec/podSets/0/template/spec/containers/0/resources/requests/cpu")
          .asInt();
    }

    private void together(String name, JsonNode workload, Map<String, Integer> places) {
      JsonNode request = workload.at("/spec/podSets/0/topologyRequest");
      int count = workload.at("/status/admission/podSetAssignments/0/count").asInt();
      int placed = places.values().stream().mapToInt(Integer::intValue).sum();
      if (placed != count) {
        breaches.add(name + ": " + placed + " of " + count + " pods are placed");
      }
      Map<String, Integer> racks = new HashMap<>();
      places.forEach((host, pods) -> racks.merge(rack.apply(host), pods, Integer::sum));
      String required = request.path("required").asText();
      if (required.endsWith("/rack") && racks.size() > 1) {
        breaches.add(name + " must be in one rack and is in " + racks.keySet());
      }
      if (required.equals(HOSTNAME) && places.size() > 1) {
        breaches.add(name + " must be on one node and is on " + places.keySet());
      }
      int slice = request.path("podSetSliceSize").asInt(1);
      if (slice > 1 && racks.values().stream().anyMatch(pods -> pods % slice != 0)) {
        breaches.add(name + " has slices of " + slice + " and lies in racks as " + racks);
      }
    }

    private void pod(Revision revision) {
      String name = revision.name();
      JsonNode pod = revision.object();
      Bound before = pods.get(name);
      String host = host(pod);
      String workload = pod.at("/metadata/annotations").path("kueue.x-k8s.io/workload").asText();
      String phase = pod.at("/status/phase").asText();
      boolean live = !revision.gone() && !phase.equals("Succeeded") && !phase.equals("Failed");
      pods.put(name, new Bound(workload, host, live));
      if (host.isEmpty()) {
        if (before != null && !before.host().isEmpty()) {
          breaches.add(name + " lost its place");
        }
      } else if (before == null) {
        breaches.add(name + " was never held back");
      } else if (before.host().isEmpty()) {
        bound(name, workload, host);
      } else if (!before.host().equals(host)) {
        breaches.add(name + " was bound to " + before.host() + " and then to " + host);
      }
    }

    private void bound(String pod, String workload, String host) {
      JsonNode placed = workloads.get(workload);
      int places = placed == null ? 0 : places(placed).getOrDefault(host, 0);
      long there =
          pods.values().stream()
              .filter(it -> it.live() && it.workload().equals(workload) && it.host().equals(host))
              .count();
      if (there > places) {
        breaches.add(
            "%s is pod %d of %s on %s (expected: at most %d)"
                .formatted(pod, there, workload, host, places));
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (InputStream stream : streams) {
      stream.close(); // the reader is held by who waits for a line
    }
  }
}
