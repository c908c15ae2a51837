package dev.sluice.multicluster.link;

import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.check.AdmissionCheckParametersReference;
import dev.sluice.api.check.MultiKueueCluster;
import dev.sluice.api.check.MultiKueueConfig;
import dev.sluice.api.meta.Condition;
import dev.sluice.api.meta.ConditionStatus;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.vocabulary.ConditionTypes;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.Reasons;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Whether an AdmissionCheck of MultiKueue can send Workloads to a cluster.
 *
 * @param isActive what the condition Active says
 * @param reason of the condition
 * @param message of the condition
 */
record ClusterCheckActivity(boolean isActive, String reason, String message) {
  /** Whether the check is one of this controller. */
  static boolean isOurs(AdmissionCheck check) {
    return check.spec().controllerName().equals(Controllers.MULTI_KUEUE);
  }

  /**
   * The activity of a check of this controller.
   *
   * @param configs finds configurations by their names
   * @param clusters finds clusters by their names
   */
  static ClusterCheckActivity of(
      AdmissionCheck check,
      Function<String, Optional<MultiKueueConfig>> configs,
      Function<String, Optional<MultiKueueCluster>> clusters) {
    AdmissionCheckParametersReference parameters = check.spec().parameters();
    if (parameters == null) {
      return badConfig("spec.parameters is missing");
    }
    ApiKind kind = ApiKind.MULTI_KUEUE_CONFIG;
    if (!parameters.apiGroup().equals(ApiVersion.GROUP) || !parameters.kind().equals(kind.kind())) {
      return badConfig(
          "spec.parameters names a %s of \"%s\" (expected: a %s of %s)"
              .formatted(parameters.kind(), parameters.apiGroup(), kind.kind(), ApiVersion.GROUP));
    }
    return configs
        .apply(parameters.name())
        .map(config -> of(config, clusters))
        .orElseGet(
            () ->
                badConfig(
                    "%s.%s \"%s\" not found"
                        .formatted(kind.plural(), ApiVersion.GROUP, parameters.name())));
  }

  private static ClusterCheckActivity badConfig(String error) {
    return new ClusterCheckActivity(
        false, Reasons.BAD_CONFIG, "Cannot load the AdmissionChecks parameters: " + error);
  }

  private static ClusterCheckActivity of(
      MultiKueueConfig config, Function<String, Optional<MultiKueueCluster>> clusters) {
    List<String> missing = new ArrayList<>();
    List<String> inactive = new ArrayList<>();
    for (String name : config.spec().clusters()) {
      Optional<MultiKueueCluster> cluster = clusters.apply(name);
      if (cluster.isEmpty()) {
        missing.add(name);
      } else if (!Conditions.isTrue(cluster.get().status().conditions(), ConditionTypes.ACTIVE)) {
        inactive.add(name);
      }
    }
    int unusable = missing.size() + inactive.size();
    if (unusable == 0) {
      return new ClusterCheckActivity(true, ConditionTypes.ACTIVE, "The admission check is active");
    }
    List<String> parts = new ArrayList<>();
    addPart(parts, "Missing", missing);
    addPart(parts, "Inactive", inactive);
    boolean some = unusable < config.spec().clusters().size();
    return new ClusterCheckActivity(
        some,
        some ? Reasons.SOME_ACTIVE_CLUSTERS : Reasons.NO_USABLE_CLUSTERS,
        String.join(", ", parts));
  }

  private static void addPart(List<String> parts, String what, List<String> names) {
    if (!names.isEmpty()) {
      parts.add("%s clusters: [%s]".formatted(what, String.join(" ", names)));
    }
  }

  /** The conditions of the check with the one that says so. */
  List<Condition> in(AdmissionCheck check, Instant now) {
    return Conditions.with(
        check.status().conditions(),
        new Condition(
            ConditionTypes.ACTIVE,
            isActive ? ConditionStatus.TRUE : ConditionStatus.FALSE,
            check.metadata().generation(),
            now,
            reason,
            message));
  }
}
