package dev.sluice.server.see;

import dev.sluice.api.ApiKind;
import dev.sluice.api.GroupKind;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.configuration.Configuration;
import dev.sluice.api.configuration.Extensions;
import dev.sluice.cluster.view.WatchedKind;
import dev.sluice.jobs.JobKinds;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.json.tree.Keep;
import dev.sluice.quota.ObjectKind;
import dev.sluice.quota.configuration.EngineConfiguration;
import dev.sluice.scheduler.store.Kinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What is watched: the kinds that the scheduler's engine decides by, classes of priority, and what
 * simulations of jobs read beside them.
 */
public final class SeeKinds {
  /**
   * What decides where pods may run and what they take; the rest of a template is the most of it.
   */
  private static final Keep POD_SPEC =
      Keep.only(
              "resources",
              "overhead",
              "runtimeClassName",
              "nodeSelector",
              "affinity",
              "tolerations",
              "topologySpreadConstraints",
              "priorityClassName",
              "priority",
              "schedulerName",
              "nodeName",
              "schedulingGates",
              "resourceClaims")
          .with("containers", Keep.only("name", "resources", "restartPolicy"))
          .with("initContainers", Keep.only("name", "resources", "restartPolicy"));

  private static final Keep WORKLOAD =
      Keep.only("status")
          .with("metadata", Keep.allBut("managedFields"))
          .with(
              "spec",
              Keep.allBut("podSets")
                  .with(
                      "podSets",
                      Keep.allBut("template")
                          .with("template", Keep.only("metadata").with("spec", POD_SPEC))));

  private static final Keep RUNTIME =
      Keep.only("spec").with("metadata", Keep.allBut("managedFields"));

  private static final Set<GroupKind> CLASSES =
      Set.of(ApiKind.WORKLOAD_PRIORITY_CLASS.groupKind(), Kinds.PRIORITY_CLASS);

  private SeeKinds() {}

  /** The kinds that the engine decides by, in the best order of listing. */
  public static List<WatchedKind> of(EngineConfiguration configuration) {
    return with(List.of(), configuration);
  }

  /** Also those that simulations of jobs read beside the jobs. */
  static List<WatchedKind> ofSimulations(Configuration configuration, Extensions extensions) {
    List<WatchedKind> runtimes = new ArrayList<>();
    for (GroupVersionKind kind :
        JobKinds.runtimesOfEnabled(JobSettings.of(configuration, extensions))) {
      String plural = kind.kind().toLowerCase(Locale.ROOT) + "s";
      runtimes.add(new WatchedKind(kind, Optional.of(plural), RUNTIME, false));
    }
    return with(runtimes, EngineConfiguration.of(configuration));
  }

  private static List<WatchedKind> with(
      List<WatchedKind> others, EngineConfiguration configuration) {
    List<WatchedKind> kinds = new ArrayList<>();
    Kinds.watched(Set.of(), Set.of(), false, configuration).stream()
        .filter(SeeKinds::isNeeded)
        .forEach(kinds::add);
    kinds.addAll(others);
    kinds.add( // last, when their queues are known
        new WatchedKind(
            ApiKind.WORKLOAD.hub(), Optional.of(ApiKind.WORKLOAD.plural()), WORKLOAD, false));
    return kinds;
  }

  private static boolean isNeeded(WatchedKind kind) {
    GroupKind id = kind.type().groupKind();
    return !kind.type().equals(ApiKind.WORKLOAD.hub())
        && (ObjectKind.of(id).isPresent() || CLASSES.contains(id));
  }
}
