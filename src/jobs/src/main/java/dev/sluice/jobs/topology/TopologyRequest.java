package dev.sluice.jobs.topology;

import dev.sluice.api.names.LabelKey;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.object.Texts;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the topology annotations of one template must be. That levels exist in a Topology, and that
 * those of slices go from coarse to fine, is left to the scheduler.
 */
public final class TopologyRequest {
  private static final int LONGEST_GROUP_NAME = 256;

  private final PodSet pods;
  private final boolean multiLayer;
  private final ValidationResult findings;

  private TopologyRequest(PodSet pods, boolean multiLayer, ValidationResult findings) {
    this.pods = pods;
    this.multiLayer = multiLayer;
    this.findings = findings;
  }

  /**
   * Checks the annotations of the template or Pod with this metadata.
   *
   * @param multiLayer whether slices may have several levels
   */
  public static void check(Field metadata, boolean multiLayer, ValidationResult findings) {
    new TopologyRequest(new PodSet("", metadata, 0), multiLayer, findings).check();
  }

  private void check() {
    if (pods.annotations().node().isEmpty()) {
      return; // as those of most templates are: nothing is asked for
    }
    checkMode();
    checkLevel(Annotations.REQUIRED_TOPOLOGY);
    checkLevel(Annotations.PREFERRED_TOPOLOGY);
    checkLevel(Annotations.SLICE_REQUIRED_TOPOLOGY);
    checkGroup();
    checkUnconstrained();
    checkSliceSize();
    if (pods.has(Annotations.SLICE_REQUIRED_TOPOLOGY_CONSTRAINTS)) {
      checkConstraints();
    }
  }

  private void checkMode() {
    List<String> modes =
        List.of(
                Annotations.REQUIRED_TOPOLOGY,
                Annotations.PREFERRED_TOPOLOGY,
                Annotations.UNCONSTRAINED_TOPOLOGY)
            .stream()
            .filter(pods::has)
            .toList();
    if (modes.size() > 1) {
      findings.add(
          new FieldError(
              FieldError.Type.INVALID,
              pods.annotations().path(),
              null,
              "must ask for one kind of topology, not for several: " + String.join(", ", modes)));
    }
  }

  private void checkLevel(String key) {
    if (pods.has(key)) {
      LabelKey.problems(pods.text(key))
          .forEach(problem -> findings.add(FieldError.invalid(pods.annotation(key), problem)));
    }
  }

  private void checkGroup() {
    if (!pods.has(Annotations.POD_SET_GROUP_NAME)) {
      return;
    }
    Field group = pods.annotation(Annotations.POD_SET_GROUP_NAME);
    String name = pods.text(Annotations.POD_SET_GROUP_NAME);
    if (Texts.isUnsigned(name)) {
      findings.add(FieldError.invalid(group, "must not be a number"));
    } else if (name.isEmpty() || name.length() > LONGEST_GROUP_NAME) {
      findings.warn(group.path() + ": a group name that works has 1 to 256 characters");
    }
    for (String slice : List.of(Annotations.SLICE_SIZE, Annotations.SLICE_REQUIRED_TOPOLOGY)) {
      if (pods.has(slice)) {
        findings.add(notTogether(group, slice));
      }
    }
    if (!pods.has(Annotations.REQUIRED_TOPOLOGY) && !pods.has(Annotations.PREFERRED_TOPOLOGY)) {
      findings.add(
          FieldError.forbidden(
              group,
              "needs "
                  + Annotations.REQUIRED_TOPOLOGY
                  + " or "
                  + Annotations.PREFERRED_TOPOLOGY
                  + " beside it"));
    }
  }

  private static FieldError notTogether(Field field, String with) {
    return FieldError.forbidden(field, "must not be set together with " + with);
  }

  private void checkUnconstrained() {
    if (pods.has(Annotations.UNCONSTRAINED_TOPOLOGY)
        && Texts.bool(pods.text(Annotations.UNCONSTRAINED_TOPOLOGY)).isEmpty()) {
      findings.add(
          FieldError.invalid(
              pods.annotation(Annotations.UNCONSTRAINED_TOPOLOGY), "must be true or false"));
    }
  }

  private void checkSliceSize() {
    Field size = pods.annotation(Annotations.SLICE_SIZE);
    if (pods.has(Annotations.SLICE_SIZE)) {
      OptionalLong number = Texts.shortInteger(pods.text(Annotations.SLICE_SIZE));
      if (number.isEmpty()) {
        findings.add(FieldError.invalid(size, "must be a number of Pods, such as 4"));
      } else if (number.getAsLong() < 1) {
        findings.add(FieldError.invalid(size, "must be at least 1"));
      }
      if (!pods.has(Annotations.SLICE_REQUIRED_TOPOLOGY)) {
        findings.add(
            FieldError.forbidden(
                size, "needs " + Annotations.SLICE_REQUIRED_TOPOLOGY + " beside it"));
      }
    } else if (pods.has(Annotations.SLICE_REQUIRED_TOPOLOGY)) {
      findings.add(
          FieldError.required(size, "must be set beside " + Annotations.SLICE_REQUIRED_TOPOLOGY));
    }
  }

  private void checkConstraints() {
    Field constraints = pods.annotation(Annotations.SLICE_REQUIRED_TOPOLOGY_CONSTRAINTS);
    if (!multiLayer) {
      findings.add(
          FieldError.forbidden(
              constraints, "must not be set while the feature TASMultiLayerTopology is off"));
      return;
    }
    for (String single : List.of(Annotations.SLICE_REQUIRED_TOPOLOGY, Annotations.SLICE_SIZE)) {
      if (pods.has(single)) {
        findings.add(notTogether(constraints, single));
      }
    }
    if (pods.has(Annotations.POD_SET_GROUP_NAME)) {
      findings.add(
          notTogether(
              pods.annotation(Annotations.POD_SET_GROUP_NAME),
              Annotations.SLICE_REQUIRED_TOPOLOGY_CONSTRAINTS));
    }
    SliceLayers.check(constraints, findings);
  }
}
