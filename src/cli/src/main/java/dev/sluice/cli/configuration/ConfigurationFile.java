package dev.sluice.cli.configuration;

import dev.sluice.api.Quantity;
import dev.sluice.api.meta.Copies;
import dev.sluice.api.meta.Default;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of a configuration that decisions depend on; all else in the file is passed over. */
public record ConfigurationFile(
    @Nullable FairSharing fairSharing,
    @Nullable AdmissionFairSharing admissionFairSharing,
    @Default("{}") Resources resources,
    @Nullable WaitForPodsReady waitForPodsReady,
    Map<String, Boolean> featureGates) {
  /** Copies what is given. */
  public ConfigurationFile {
    featureGates = Copies.of(featureGates);
  }

  /** Sharing between queues; older files switch it off with {@code enable: false}. */
  public record FairSharing(@Default("true") boolean enable, List<String> preemptionStrategies) {
    /** Copies what is given. */
    public FairSharing {
      preemptionStrategies = List.copyOf(preemptionStrategies);
    }
  }

  /** Sharing between the LocalQueues of a queue. */
  public record AdmissionFairSharing(
      @Default("0s") String usageHalfLifeTime,
      @Nullable String usageSamplingInterval,
      Map<String, Quantity> resourceWeights) {
    /** Copies what is given. */
    public AdmissionFairSharing {
      resourceWeights = Copies.of(resourceWeights);
    }
  }

  /** What resources count as. */
  public record Resources(
      List<String> excludeResourcePrefixes,
      List<Transformation> transformations,
      @Nullable String quotaCheckStrategy) {
    /** Copies what is given. */
    public Resources {
      excludeResourcePrefixes = List.copyOf(excludeResourcePrefixes);
      transformations = List.copyOf(transformations);
    }
  }

  /** What one resource counts as. */
  public record Transformation(
      String input,
      @Default("Retain") String strategy,
      @Nullable String multiplyBy,
      Map<String, Quantity> outputs) {
    /** Copies what is given. */
    public Transformation {
      outputs = Copies.of(outputs);
    }
  }

  /**
   * What it means that pods are not ready; older files switch it off with {@code enable: false}.
   */
  public record WaitForPodsReady(
      @Default("true") boolean enable,
      @Default("false") boolean blockAdmission,
      @Default("{}") RequeuingStrategy requeuingStrategy) {}

  /** Where a workload that was not ready in time goes back to. */
  public record RequeuingStrategy(@Default("Eviction") String timestamp) {}
}
