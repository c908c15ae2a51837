package dev.sluice.api.configuration;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.Quantity;
import dev.sluice.api.cel.CelExpression;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How workloads are queued and admitted.
 *
 * @param waitForPodsReady what happens to those whose pods do not come up; empty if nothing
 * @param fairSharing how queues of a cohort share; empty if off
 * @param admissionFairSharing how LocalQueues of a queue share; empty if off
 * @param resources what pod requests amount to
 * @param multiKueue how workloads get to other clusters
 * @param retention how long finished objects are kept
 */
public record Scheduling(
    Optional<WaitForPodsReady> waitForPodsReady,
    Optional<FairSharing> fairSharing,
    Optional<AdmissionFairSharing> admissionFairSharing,
    Resources resources,
    MultiKueue multiKueue,
    Retention retention) {

  /**
   * What happens to workloads whose pods do not come up.
   *
   * @param timeout how long they may take after admission
   * @param recoveryTimeout how long after one was lost; zero for ever
   * @param blockAdmission whether others wait for them
   */
  public record WaitForPodsReady(
      Duration timeout, Duration recoveryTimeout, boolean blockAdmission, Requeuing requeuing) {}

  /**
   * How an evicted workload is requeued.
   *
   * @param byCreation whether it is ordered by its creation instead of its eviction
   * @param backoffLimit how often; empty for no limit
   */
  public record Requeuing(
      boolean byCreation, OptionalInt backoffLimit, Duration backoffBase, Duration backoffMax) {}

  /** How a preemption is judged when queues of a cohort share. */
  public enum PreemptionStrategy {
    /** The preemptor's share afterwards is at most what the victim's would be. */
    LESS_THAN_OR_EQUAL_TO_FINAL_SHARE("LessThanOrEqualToFinalShare"),
    /** The preemptor's share afterwards is less than what the victim's is. */
    LESS_THAN_INITIAL_SHARE("LessThanInitialShare");

    private final String text;

    PreemptionStrategy(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** How queues of a cohort share; the strategies are tried in this order. */
  public record FairSharing(List<PreemptionStrategy> preemptionStrategies) {
    /** Both strategies, the stricter one first. */
    public static final FairSharing BOTH =
        new FairSharing(
            List.of(
                PreemptionStrategy.LESS_THAN_OR_EQUAL_TO_FINAL_SHARE,
                PreemptionStrategy.LESS_THAN_INITIAL_SHARE));

    public FairSharing {
      preemptionStrategies = List.copyOf(preemptionStrategies);
    }
  }

  /**
   * How LocalQueues of a queue share.
   *
   * @param usageHalfLife after which half of what was used is forgotten; zero for at once
   * @param samplingInterval how often usage is sampled
   * @param resourceWeights the weight of a unit; 1 for a missing resource
   */
  public record AdmissionFairSharing(
      Duration usageHalfLife, Duration samplingInterval, Map<String, Double> resourceWeights) {
    /** The interval when none is named. */
    public static final Duration DEFAULT_INTERVAL = Duration.ofMinutes(5);

    public AdmissionFairSharing {
      resourceWeights = Collections.unmodifiableMap(new LinkedHashMap<>(resourceWeights));
    }
  }

  /**
   * What pod requests amount to.
   *
   * @param excludedPrefixes resources that are not counted
   * @param ignoreUndeclared whether resources that no quota covers are no obstacle
   */
  public record Resources(
      List<String> excludedPrefixes,
      boolean ignoreUndeclared,
      List<Transformation> transformations,
      List<DeviceClassMapping> deviceClassMappings) {
    /** Requests as they are. */
    public static final Resources AS_THEY_ARE =
        new Resources(List.of(), false, List.of(), List.of());

    public Resources {
      excludedPrefixes = List.copyOf(excludedPrefixes);
      transformations = List.copyOf(transformations);
      deviceClassMappings = List.copyOf(deviceClassMappings);
    }
  }

  /**
   * Counts one resource as others.
   *
   * @param input the resource asked for
   * @param replace whether the input itself is no longer counted
   * @param multiplyBy another requested resource to multiply with
   * @param outputs what one unit of the input counts as
   */
  public record Transformation(
      String input, boolean replace, Optional<String> multiplyBy, Map<String, Quantity> outputs) {
    public Transformation {
      outputs = Collections.unmodifiableMap(new LinkedHashMap<>(outputs));
    }
  }

  /**
   * Counts devices as a resource.
   *
   * @param name the resource
   * @param deviceClassNames the classes of devices
   * @param sources what the devices count as, all of the same type; empty to count each as one
   */
  public record DeviceClassMapping(
      String name, List<String> deviceClassNames, List<DeviceSource> sources) {
    public DeviceClassMapping {
      deviceClassNames = List.copyOf(deviceClassNames);
      sources = List.copyOf(sources);
    }

    /** Each device counts as one. */
    public DeviceClassMapping(String name, List<String> deviceClassNames) {
      this(name, deviceClassNames, List.of());
    }
  }

  /**
   * What a ResourceSlice says that a device counts as.
   *
   * @param name the name of the counter or the capacity
   * @param driver the driver whose slices are read
   * @param selector which of its devices count; empty for all
   */
  public record DeviceSource(
      Type type, String name, String driver, Optional<CelExpression> selector) {
    /** What it reads. */
    public enum Type {
      /** What a device takes of counters that it shares with others. */
      COUNTER,
      /** What a claim takes of the capacity of a device. */
      CAPACITY
    }
  }

  /**
   * How workloads are dispatched to other clusters.
   *
   * @param gcInterval how often leftovers are collected; zero for never
   * @param origin the label that remote copies carry
   * @param workerLostTimeout how long a worker may be away
   * @param dispatcherName the dispatcher that chooses the worker
   * @param stepSize workers nominated at a time by the incremental dispatcher
   * @param externalFrameworks kinds dispatched without code for them
   * @param accessProviders programs that log in to workers
   */
  public record MultiKueue(
      Duration gcInterval,
      String origin,
      Duration workerLostTimeout,
      String dispatcherName,
      OptionalInt stepSize,
      List<GroupVersionKind> externalFrameworks,
      List<AccessProvider> accessProviders) {
    public MultiKueue {
      externalFrameworks = List.copyOf(externalFrameworks);
      accessProviders = List.copyOf(accessProviders);
    }
  }

  /**
   * A program that logs in to workers.
   *
   * @param exec the command, as written in the file
   */
  public record AccessProvider(String name, JsonNode exec) {}

  /** How long workloads are kept; empty for ever. */
  public record Retention(
      Optional<Duration> afterFinished, Optional<Duration> afterDeactivatedByKueue) {}
}
