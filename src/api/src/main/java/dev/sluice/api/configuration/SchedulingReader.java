package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.FeatureGate.DISABLE_WAIT_FOR_PODS_READY;
import static dev.sluice.api.configuration.Problem.Type.INVALID;
import static dev.sluice.api.configuration.Problem.Type.NOT_SUPPORTED;
import static dev.sluice.api.configuration.Problem.Type.REQUIRED;

import dev.sluice.api.configuration.Scheduling.AdmissionFairSharing;
import dev.sluice.api.configuration.Scheduling.FairSharing;
import dev.sluice.api.configuration.Scheduling.PreemptionStrategy;
import dev.sluice.api.configuration.Scheduling.Requeuing;
import dev.sluice.api.configuration.Scheduling.Retention;
import dev.sluice.api.configuration.Scheduling.WaitForPodsReady;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads how workloads are queued and admitted. */
final class SchedulingReader {
  private static final List<PreemptionStrategy> BOTH = FairSharing.BOTH.preemptionStrategies();

  private final FeatureGates gates;
  private final boolean beta1;
  private final boolean excerpt;

  SchedulingReader(FeatureGates gates, boolean beta1, boolean excerpt) {
    this.gates = gates;
    this.beta1 = beta1;
    this.excerpt = excerpt;
  }

  Scheduling read(Fields fields) {
    return new Scheduling(
        waitForPodsReady(fields.object("waitForPodsReady")),
        fairSharing(fields.object("fairSharing")),
        admissionFairSharing(fields.object("admissionFairSharing")),
        ResourcesReader.read(fields.object("resources"), gates),
        MultiKueueReader.read(fields.object("multiKueue")),
        retention(fields.object("objectRetentionPolicies")));
  }

  /** At v1beta1 it is opt-in, has a shorter timeout, and blocks by default. */
  private Optional<WaitForPodsReady> waitForPodsReady(Fields fields) {
    boolean asked = !beta1 || fields.flag("enable", false);
    boolean on = asked && !gates.isOn(DISABLE_WAIT_FOR_PODS_READY);
    Duration timeout = fields.duration("timeout", Duration.ofMinutes(beta1 ? 5 : 30));
    WaitForPodsReady wait =
        new WaitForPodsReady(
            timeout,
            fields.duration("recoveryTimeout", timeout),
            fields.flag("blockAdmission", beta1 && on),
            requeuing(fields.object("requeuingStrategy")));
    fields.end();
    return on ? Optional.of(wait) : Optional.empty();
  }

  private static Requeuing requeuing(Fields fields) {
    String timestamp = fields.choice("timestamp", "Eviction", "Creation");
    int limit = fields.integer("backoffLimitCount", -1, 0, Integer.MAX_VALUE);
    Requeuing requeuing =
        new Requeuing(
            timestamp.equals("Creation"),
            limit < 0 ? OptionalInt.empty() : OptionalInt.of(limit),
            Duration.ofSeconds(fields.integer("backoffBaseSeconds", 60, 0, Integer.MAX_VALUE)),
            Duration.ofSeconds(fields.integer("backoffMaxSeconds", 3600, 0, Integer.MAX_VALUE)));
    fields.end();
    return requeuing;
  }

  /** At v1beta1 there is a switch. There and in an excerpt both strategies are the default. */
  private Optional<FairSharing> fairSharing(Fields fields) {
    boolean on = beta1 ? fields.flag("enable", false) : fields.present();
    List<PreemptionStrategy> strategies = strategies(fields);
    fields.end();
    if (strategies.isEmpty() && on && (beta1 || excerpt)) {
      strategies = BOTH;
    }
    if (on && strategies.isEmpty() && !fields.has("preemptionStrategies")) {
      fields.problem(
          REQUIRED, "preemptionStrategies", "[] (expected: " + BOTH + " or one of the two)");
    }
    return on ? Optional.of(new FairSharing(strategies)) : Optional.empty();
  }

  private List<PreemptionStrategy> strategies(Fields fields) {
    List<String> names = fields.texts("preemptionStrategies");
    List<PreemptionStrategy> strategies = new ArrayList<>();
    for (String name : names) {
      Arrays.stream(PreemptionStrategy.values())
          .filter(strategy -> strategy.toString().equals(name))
          .forEach(strategies::add);
    }
    boolean known = strategies.size() == names.size();
    boolean ordered = strategies.size() < 2 || strategies.equals(BOTH);
    boolean isMissing = names.isEmpty() && !excerpt;
    if (fields.has("preemptionStrategies") && (isMissing || !known || !ordered)) {
      fields.problem(
          NOT_SUPPORTED,
          "preemptionStrategies",
          Fields.wrong(names, BOTH + ", or one of the two alone"));
    }
    return strategies;
  }

  /** In an excerpt, which may be of a configuration without defaults, 0s is no interval. */
  private Optional<AdmissionFairSharing> admissionFairSharing(Fields fields) {
    Duration halfLife = fields.duration("usageHalfLifeTime", Duration.ZERO);
    Duration interval =
        fields.duration("usageSamplingInterval", AdmissionFairSharing.DEFAULT_INTERVAL);
    if (interval.isZero() && excerpt) {
      interval = AdmissionFairSharing.DEFAULT_INTERVAL;
    } else if (interval.isZero()) {
      fields.problem(INVALID, "usageSamplingInterval", Fields.wrong("0s", "more than 0s"));
    }
    Map<String, Double> weights = weights(fields);
    fields.end();
    return fields.present()
        ? Optional.of(new AdmissionFairSharing(halfLife, interval, weights))
        : Optional.empty();
  }

  private static Map<String, Double> weights(Fields fields) {
    Map<String, Double> weights = new LinkedHashMap<>();
    fields
        .members("resourceWeights")
        .forEach(
            (resource, value) -> {
              if (value.isNumber()
                  && value.doubleValue() >= 0
                  && Double.isFinite(value.doubleValue())) {
                weights.put(resource, value.doubleValue());
              } else {
                fields.problem(
                    INVALID,
                    "resourceWeights[" + resource + "]",
                    Fields.wrong(value, "a number >= 0"));
              }
            });
    return weights;
  }

  private static Retention retention(Fields fields) {
    Fields workloads = fields.object("workloads");
    Retention retention =
        new Retention(
            workloads.duration("afterFinished"), workloads.duration("afterDeactivatedByKueue"));
    workloads.end();
    fields.end();
    return retention;
  }
}
