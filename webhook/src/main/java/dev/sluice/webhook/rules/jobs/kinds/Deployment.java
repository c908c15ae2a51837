package dev.sluice.webhook.rules.jobs.kinds;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.rules.Field;
import dev.sluice.rules.PatchRecorder;
import dev.sluice.webhook.rules.jobs.Defaults;
import dev.sluice.webhook.rules.jobs.JobReview;
import dev.sluice.webhook.rules.jobs.Keys;
import java.util.List;

/** The Deployment, whose Pods are jobs of their own. */
final class Deployment implements ServingKind {
  private static final String[] TEMPLATE = {"spec", "template"};

  @Override
  public GroupVersionKind kind() {
    return new GroupVersionKind("apps", "v1", "Deployment");
  }

  @Override
  public String framework() {
    return "deployment";
  }

  @Override
  public String plural() {
    return "deployments";
  }

  @Override
  public List<Field> templates(Field root) {
    return List.of(root.child("spec").child("template").child("metadata"));
  }

  @Override
  public void setTemplates(JobReview review, PatchRecorder draft) {
    setParent(draft, TEMPLATE);
    Defaults.templateLabel(draft, Keys.MANAGED, "true", TEMPLATE);
    ServingKind.copyLabels(draft, TEMPLATE);
  }
}
