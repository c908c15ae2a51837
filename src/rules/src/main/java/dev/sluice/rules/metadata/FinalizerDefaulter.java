package dev.sluice.rules.metadata;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sluice.api.vocabulary.Finalizers;
import dev.sluice.rules.Defaulter;
import dev.sluice.rules.Field;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;

/**
 * Puts the finalizer on an object that keeps it from vanishing while it is in use, and with it
 * gives an object without spec an empty one, which the defaults of the schema then fill. All else
 * stays as the user wrote it, so the schema speaks of what is missing or of a wrong type. An object
 * that came with the finalizer is not changed.
 */
public final class FinalizerDefaulter implements Defaulter {
  /** The finalizer of objects that others use. */
  public static final String IN_USE = Finalizers.RESOURCE_IN_USE;

  private static final int MAX_FINALIZERS = 10_000;

  @Override
  public void apply(RuleInput input, PatchRecorder draft, ValidationResult findings) {
    Field finalizers = draft.root().child("metadata").child("finalizers");
    boolean has =
        finalizers.items(MAX_FINALIZERS).stream()
            .anyMatch(it -> it.text().orElse("").equals(IN_USE));
    if (has) {
      return;
    }
    draft.append(TextNode.valueOf(IN_USE), "metadata", "finalizers");
    if (!draft.root().child("spec").isPresent()) {
      draft.set(JsonNodeFactory.instance.objectNode(), "spec");
    }
  }
}
