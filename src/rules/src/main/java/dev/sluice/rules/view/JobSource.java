package dev.sluice.rules.view;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Where a Job and its pods are looked up once more before a pod is refused. */
@FunctionalInterface
public interface JobSource {
  /** Can look up nothing. */
  JobSource NONE = (_, _, _, _) -> Optional.empty();

  /**
   * A Job and its pods.
   *
   * @param pods read after the Job
   * @param after the Job, read after the pods
   */
  record JobWithPods(JsonNode job, List<JsonNode> pods, JsonNode after) {
    public JobWithPods {
      pods = List.copyOf(pods);
    }
  }

  /**
   * The Job with that uid as it is now, then its pods, and then the Job again. Blocks for at most
   * {@code bound}; empty if there was no usable answer in time. A deleted Job is an empty object.
   */
  Optional<JobWithPods> read(String namespace, String job, String uid, Duration bound);
}
