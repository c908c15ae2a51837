package dev.sluice.jobs.topology;

import com.fasterxml.jackson.databind.node.LongNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.jobs.object.Texts;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.OptionalLong;

/**
 * A slice cannot have more Pods than there are. Checked for templates that have Pods now: one that
 * is scaled to zero may have any size.
 */
public final class SliceBounds {
  private SliceBounds() {}

  /** Checks the slices of one template. */
  public static void check(PodSet pods, ValidationResult findings) {
    if (pods.count() > 0) {
      checkSize(pods, findings);
      checkLayers(pods, findings);
    }
  }

  private static void checkSize(PodSet pods, ValidationResult findings) {
    OptionalLong size = Texts.shortInteger(pods.text(Annotations.SLICE_SIZE));
    if (size.isPresent() && size.getAsLong() > pods.count()) {
      findings.add(FieldError.invalid(pods.annotation(Annotations.SLICE_SIZE), detail(pods)));
    }
  }

  private static void checkLayers(PodSet pods, ValidationResult findings) {
    List<SliceLayers.Layer> layers =
        pods.has(Annotations.SLICE_REQUIRED_TOPOLOGY_CONSTRAINTS)
            ? SliceLayers.read(pods.text(Annotations.SLICE_REQUIRED_TOPOLOGY_CONSTRAINTS))
                .orElse(List.of())
            : List.of();
    if (!layers.isEmpty() && layers.getFirst().size() > pods.count()) {
      findings.add(
          FieldError.invalid(
              pods.annotation(Annotations.SLICE_REQUIRED_TOPOLOGY_CONSTRAINTS).path(),
              LongNode.valueOf(layers.getFirst().size()),
              detail(pods)));
    }
  }

  private static String detail(PodSet pods) {
    return "must not be greater than the number of Pods, " + pods.count();
  }
}
