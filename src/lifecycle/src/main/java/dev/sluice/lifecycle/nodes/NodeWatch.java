package dev.sluice.lifecycle.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.core.Node;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Toleration;
import dev.sluice.api.meta.ObjectChange;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.api.meta.ResourceVersion;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.read.MalformedObjectException;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.workload.Admission;
import dev.sluice.api.workload.PodSetAssignment;
import dev.sluice.api.workload.QuotaHold;
import dev.sluice.api.workload.Workload;
import dev.sluice.lifecycle.place.GatedPod;
import dev.sluice.lifecycle.place.SliceChains;
import dev.sluice.lifecycle.place.WorkloadPods;
import dev.sluice.lifecycle.store.ObjectCache;
import dev.sluice.lifecycle.store.ObjectIndex;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.topology.Levels;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Knows how the nodes under placed workloads are, and whom a change of a node or a pod concerns.
 * Since when a node is missed is not stored: whoever takes over waits for it anew. Thread-safe.
 */
public final class NodeWatch {
  private static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();
  private static final int MOST_MISSED = 100_000;

  private final ObjectCache objects;
  private final WorkloadPods pods;
  private final NodeSettings settings;
  private final InstantSource clock;
  private final ObjectIndex nodes = new ObjectIndex(NodeWatch::hostname);
  private final ObjectIndex workloads = new ObjectIndex(NodeWatch::hosts);
  private final SliceChains slices = new SliceChains();
  private final Map<String, Instant> missed = new ConcurrentHashMap<>();
  private final Set<String> sound = ConcurrentHashMap.newKeySet();
  private final Map<String, Instant> unsound = new ConcurrentHashMap<>();

  /**
   * Nothing is known yet.
   *
   * @param pods has taken note of each change before we are told of it
   */
  public NodeWatch(
      ObjectCache objects, WorkloadPods pods, NodeSettings settings, InstantSource clock) {
    this.objects = objects;
    this.pods = pods;
    this.settings = settings;
    this.clock = clock;
  }

  /** Something changed; the workloads whose nodes are to be judged anew since. */
  public Collection<ObjectKey> changed(GroupKind kind, ObjectChange change) {
    if (!settings.replaces()) {
      return List.of();
    }
    if (kind.equals(WORKLOAD)) {
      slices.note(change);
      if (!admission(change.before()).equals(admission(change.after()))) {
        workloads.note(change);
        forgetUnused(change);
      }
      return List.of(); // it is looked at anyway
    }
    return kind.equals(ObjectKind.NODE.id())
        ? nodeChanged(change)
        : kind.equals(ObjectKind.POD.id()) ? podChanged(change) : List.of();
  }

  private static JsonNode admission(Optional<JsonNode> workload) {
    return workload
        .map(it -> it.path("status").path("admission"))
        .orElse(MissingNode.getInstance());
  }

  /** Nobody asks any more for a node that is gone once nobody is placed there. */
  private void forgetUnused(ObjectChange change) {
    if (!missed.isEmpty() && change.before().isPresent()) {
      hosts(change.before().get()).stream()
          .filter(host -> workloads.find(host).isEmpty())
          .forEach(missed::remove);
    }
  }

  private Collection<ObjectKey> nodeChanged(ObjectChange change) {
    nodes.note(change);
    Set<String> names = new TreeSet<>();
    change.before().map(NodeWatch::hostname).ifPresent(names::addAll);
    change.after().map(NodeWatch::hostname).ifPresent(names::addAll);
    Set<ObjectKey> concerned = new TreeSet<>();
    for (String name : names) {
      List<ObjectKey> users = workloads.find(name);
      if (note(name, users.isEmpty())) {
        concerned.addAll(users);
      }
    }
    return concerned;
  }

  /** Takes note of how the node is; whether it was, or is, not as it should be. */
  private boolean note(String name, boolean unused) {
    boolean wasMissed = missed.containsKey(name);
    Host host = look(name);
    boolean gone = host.state() == Host.State.GONE;
    if (gone && unused) {
      missed.remove(name);
    }
    boolean isSound = host.isSound();
    if (isSound) {
      sound.add(name);
    } else {
      sound.remove(name);
    }
    boolean wasSound =
        (isSound || gone)
            ? unsound.remove(name) == null
            : unsound.putIfAbsent(name, clock.instant()) == null;
    return !isSound || !wasSound || wasMissed;
  }

  private Collection<ObjectKey> podChanged(ObjectChange change) {
    GatedPod pod = new GatedPod(change.latest());
    if (pod.workload().isEmpty()) {
      return List.of();
    }
    List<ObjectKey> owners =
        pod.slice().isEmpty()
            ? List.of(new ObjectKey(pod.namespace(), pod.workload()))
            : slices.since(new ObjectKey(pod.namespace(), pod.slice()));
    boolean unwell = !unsound.isEmpty() || !missed.isEmpty();
    return unwell || isElsewhere(pod, owners) ? owners : List.of();
  }

  /** Whether it waits for a node that is, as far as we know, not its place. */
  private boolean isElsewhere(GatedPod pod, List<ObjectKey> owners) {
    return pod.isBoundOnly()
        && !pod.host().isEmpty()
        && Collections.disjoint(workloads.find(pod.host()), owners);
  }

  /** How the nodes of a workload are, and its pods that wait for one of them. */
  public Health health(Workload workload, Instant now) {
    if (!settings.replaces() || !isPlaced(workload)) {
      return Health.GOOD;
    }
    long reached = reached(workload);
    ObjectKey key = ObjectKey.of(workload.metadata());
    String origin =
        workload.metadata().annotations().getOrDefault(Annotations.WORKLOAD_SLICE_NAME, "");
    List<GatedPod> placed = pods.placedBy(key, origin);
    return new NodeFailureDetector(
            workload, settings, this::host, this::tolerations, placed, reached, now)
        .answer();
  }

  /** Up to which version a workload is known to be as it is here; its own if it is not any more. */
  private long reached(Workload workload) {
    long all = objects.reached(WORKLOAD); // before it is found, or that may be later
    String version = workload.metadata().resourceVersion();
    boolean same = objects.isAt(version, WORKLOAD, ObjectKey.of(workload.metadata()));
    return Math.max(same ? all : 0, ResourceVersion.number(version).orElse(0));
  }

  private static boolean isPlaced(Workload workload) {
    Admission admission = workload.status().admission();
    return admission != null
        && QuotaHold.isHeldBy(workload)
        && admission.podSetAssignments().stream().anyMatch(it -> it.topologyAssignment() != null);
  }

  private Host host(String hostname) {
    return sound.contains(hostname) ? Host.SOUND : look(hostname);
  }

  private Host look(String hostname) {
    Host best = Host.of(null, missedSince(hostname), Instant.MAX);
    Instant missing = best.since();
    Instant ailing = unsound.getOrDefault(hostname, clock.instant());
    for (ObjectKey key : nodes.find(hostname)) {
      Host host = Host.of(node(key), missing, ailing);
      if (host.state().compareTo(best.state()) <= 0) {
        best = host;
      }
    }
    if (best.state() != Host.State.GONE) {
      missed.remove(hostname);
    }
    return best;
  }

  private Instant missedSince(String hostname) {
    if (missed.size() > MOST_MISSED) {
      missed.clear(); // nobody asks for most of them any more; the others are waited for anew
    }
    return missed.computeIfAbsent(hostname, _ -> clock.instant());
  }

  private @Nullable Node node(ObjectKey key) {
    try {
      return objects
          .find(ObjectKind.NODE.id(), "", key.name())
          .map(it -> HubObjects.read(Node.class, it))
          .orElse(null);
    } catch (MalformedObjectException _) {
      return null; // who told the engine has said so
    }
  }

  private List<Toleration> tolerations(String flavor) {
    try {
      return objects
          .find(ApiKind.RESOURCE_FLAVOR.groupKind(), "", flavor)
          .map(it -> HubObjects.read(ResourceFlavor.class, it).spec().tolerations())
          .orElse(List.of());
    } catch (MalformedObjectException _) {
      return List.of(); // who told the engine has said so
    }
  }

  private static Set<String> hostname(JsonNode node) {
    String name = node.path("metadata").path("labels").path(Levels.HOSTNAME).asText();
    return name.isEmpty() ? Set.of() : Set.of(name);
  }

  /** The nodes under a workload that runs. */
  private static Set<String> hosts(JsonNode workload) {
    Set<String> hosts = new TreeSet<>();
    for (JsonNode assignment : workload.at("/status/admission/podSetAssignments")) {
      if (assignment.has("topologyAssignment")) {
        try {
          hosts.addAll(
              NodeFailureDetector.hosts(HubObjects.read(PodSetAssignment.class, assignment)));
        } catch (MalformedObjectException _) {
          return Set.of(); // who told the engine has said so
        }
      }
    }
    return hosts;
  }
}
