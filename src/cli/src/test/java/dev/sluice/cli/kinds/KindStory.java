package dev.sluice.cli.kinds;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.configuration.Framework;
import java.util.List;

/**
 * One kind in its life: the manifest that a user applies, what its Workload must be, and what the
 * operator of the kind writes, which is not there.
 */
public interface KindStory {
  /** What the operator has seen. */
  enum Phase {
    /** It created the Pods. */
    PODS_CREATED,
    /** All Pods are ready. */
    READY,
    /** The job is suspended, and its Pods are gone. */
    STOPPED,
    SUCCEEDED,
    FAILED
  }

  Framework framework();

  /** The definitions of the kinds that the story needs, as YAML. */
  List<String> definitions();

  /** The manifest, a file in {@code manifests/samples/jobs} without its ending. */
  default String sample() {
    return framework().plural().substring(0, framework().plural().length() - 1);
  }

  /** Changes the job of the manifest before it is created. */
  default void adjust(ObjectNode job) {}

  /** Creates what the job needs and what the manifest does not have; called once per namespace. */
  default void prepare(KindScene scene) {}

  /** Name and count of each Pod set of its Workload, such as {@code worker=2}, in order. */
  List<String> podSets();

  /** How many Workloads the job has, all with these Pod sets. */
  default int workloads() {
    return 1;
  }

  /** Whether the job as it is stored keeps its Pods from running. */
  default boolean isSuspended(JsonNode job) {
    return job.at("/spec/suspend").asBoolean();
  }

  /** Whether the Pods of the job may not run now. */
  default boolean isHeld(KindScene scene) {
    return isSuspended(scene.job());
  }

  /** Whether a stop leaves the job as it was written while its Pods still run. */
  default boolean isRestoredAtOnce() {
    return true;
  }

  /** Whether Pods are made as an operator makes them, rather than only written of in statuses. */
  default boolean makesPods() {
    return false;
  }

  /** Whether such a job ends by itself. */
  default boolean ends() {
    return true;
  }

  /**
   * What the Pods of each set are made from, in order: objects with the members {@code metadata}
   * and {@code spec} of a Pod template.
   */
  List<JsonNode> templates(KindScene scene);

  /**
   * What the operator makes of a job that it sees for the first time, whether it is held or not.
   */
  default void begin(KindScene scene) {}

  /** What the garbage collector deletes once the job is gone. */
  default void collect(KindScene scene) {}

  /**
   * Does what the operator does in that phase.
   *
   * @param message the operator's words if the job ended
   */
  default void operate(KindScene scene, Phase phase, String message) {
    scene.updateJob(true, job -> job.set("status", status(phase, message)));
  }

  /** The status that the operator writes. */
  ObjectNode status(Phase phase, String message);

  /** What the Workload says if the job ended and its operator had these words. */
  default String end(Phase phase, String message) {
    return message;
  }
}
