package dev.sluice.webhook.rules.references;

import dev.sluice.api.ApiKind;
import dev.sluice.rules.Field;
import dev.sluice.rules.RuleInput;
import dev.sluice.rules.ValidationResult;
import dev.sluice.rules.ValueText;
import dev.sluice.rules.view.ClusterView;

/** Looks up names in a cluster view. */
public final class References {
  private final ClusterView view;

  private References(ClusterView view) {
    this.view = view;
  }

  /** Uses the view of the request. */
  public static References of(RuleInput input) {
    return new References(input.world().view());
  }

  /** Whether it is certain that there is no such object outside of namespaces. */
  public boolean isMissing(ApiKind kind, String name) {
    return view.knows(kind.groupKind()) && view.find(kind.groupKind(), "", name).isEmpty();
  }

  /**
   * Warns if it is certain that the object named here is not there.
   *
   * @param consequence what that means, such as {@code nothing is admitted until it exists}
   */
  public void warnIfMissing(
      Field name, ApiKind kind, String consequence, ValidationResult findings) {
    String text = name.text().orElse("");
    if (!text.isEmpty() && isMissing(kind, text)) {
      findings.warn(
          "%s: there is no %s %s: %s"
              .formatted(name.path(), kind, ValueText.quoted(text), consequence));
    }
  }
}
