package dev.sluice.jobs.admission;

import dev.sluice.api.GroupKind;
import dev.sluice.api.configuration.FeatureGate;
import dev.sluice.rules.settings.Settings;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which kinds are jobs, and which of them are on. Immutable. */
public final class Integrations {
  /** Stands between a Pod and its Deployment, and is never a job itself. */
  private static final GroupKind REPLICA_SET = new GroupKind("apps", "ReplicaSet");

  private static final String POD = "pod";
  private static final Set<String> QUEUED_BY_THEIR_PODS =
      Set.of("deployment", "statefulset", "leaderworkerset.x-k8s.io/leaderworkerset");
  private static final String SPARK = "sparkoperator.k8s.io/sparkapplication";

  private final Map<GroupKind, JobKind> kinds;

  /** All kinds that are known, whether they are on or not. */
  public Integrations(Collection<? extends JobKind> kinds) {
    this.kinds =
        kinds.stream()
            .collect(
                Collectors.toUnmodifiableMap(it -> it.kind().groupKind(), Function.identity()));
  }

  /** Whether a kind's jobs are managed with these settings, be it because of their Pods only. */
  public static boolean isOn(String framework, Settings settings) {
    if (framework.equals(SPARK) && !settings.isOn(FeatureGate.SPARK_APPLICATION_INTEGRATION)) {
      return false;
    }
    return settings.frameworks().contains(framework)
        || (framework.equals(POD) && isPodOnlyImplied(settings));
  }

  /** Whether Pods matter only because other kinds are queued by their Pods. */
  public static boolean isPodOnlyImplied(Settings settings) {
    return !settings.frameworks().contains(POD)
        && settings.frameworks().stream().anyMatch(QUEUED_BY_THEIR_PODS::contains);
  }

  /** The enabled frameworks, including implied ones. */
  public static Set<String> frameworks(Settings settings) {
    Set<String> all = new TreeSet<>(settings.frameworks());
    if (isPodOnlyImplied(settings)) {
      all.add(POD);
    }
    return all;
  }

  /** Whether an owner of this kind may manage what it owns. */
  boolean isManager(GroupKind owner, Settings settings) {
    JobKind kind = kinds.get(owner);
    return settings.externalFrameworks().contains(owner)
        || (kind != null && kind.isOn(settings) && !kind.isQueuedByWhatItOwns());
  }

  /** Whether the way up leads through an owner of this kind. */
  boolean isKnown(GroupKind owner, Settings settings) {
    return kinds.containsKey(owner)
        || settings.externalFrameworks().contains(owner)
        || owner.equals(REPLICA_SET);
  }
}
