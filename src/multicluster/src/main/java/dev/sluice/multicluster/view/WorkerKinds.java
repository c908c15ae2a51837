package dev.sluice.multicluster.view;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Framework;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.json.tree.Keep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds that are watched on a worker: Workloads, and each enabled kind that is sent there. */
public final class WorkerKinds {
  static final GroupKind WORKLOAD = ApiKind.WORKLOAD.groupKind();

  private static final Keep WHOLE =
      Keep.allBut("apiVersion", "kind").with("metadata", Keep.allBut("managedFields"));

  private final Map<GroupKind, WatchedKind> watched;

  private WorkerKinds(Map<GroupKind, WatchedKind> watched) {
    this.watched = watched;
  }

  /**
   * The kinds that a manager sends; of each only the objects with its origin label.
   *
   * @param origin the value of the label
   */
  public static WorkerKinds of(String origin, JobSettings settings) {
    Map<GroupKind, WatchedKind> watched = new LinkedHashMap<>();
    add(watched, ApiKind.WORKLOAD.hub(), Optional.of(ApiKind.WORKLOAD.plural()), origin);
    JobKinds.remoteOfEnabled(settings)
        .keySet()
        .forEach(
            it ->
                add(
                    watched,
                    it,
                    Framework.find(it.group(), it.kind()).map(Framework::plural),
                    origin));
    return new WorkerKinds(watched);
  }

  private static void add(
      Map<GroupKind, WatchedKind> watched,
      GroupVersionKind type,
      Optional<String> plural,
      String origin) {
    watched.putIfAbsent(
        type.groupKind(),
        new WatchedKind(
            type,
            plural,
            WHOLE,
            false,
            WatchedKind.Selection.labelled(Labels.MULTI_KUEUE_ORIGIN, origin)));
  }

  /** The kinds to watch. */
  List<WatchedKind> watched() {
    return new ArrayList<>(watched.values());
  }

  /** The kind of Workloads at the version that is asked for. */
  public GroupVersionKind workloads() {
    return ApiKind.WORKLOAD.hub();
  }

  /** The version at which that kind is watched; empty if it is not. */
  Optional<GroupVersionKind> type(GroupKind kind) {
    return Optional.ofNullable(watched.get(kind)).map(WatchedKind::type);
  }

  /** How users name the kinds, jobs before Workloads. */
  public List<String> resources() {
    List<String> resources =
        new ArrayList<>(watched.keySet().stream().map(this::resource).toList());
    Collections.reverse(resources);
    return List.copyOf(resources);
  }

  /** How users name a kind, such as {@code rayjobs.ray.io}. */
  String resource(GroupKind kind) {
    WatchedKind known = watched.get(kind);
    String plural = known == null ? kind.kind() : known.plural().orElse(kind.kind());
    return kind.group().isEmpty() ? plural : plural + "." + kind.group();
  }
}
