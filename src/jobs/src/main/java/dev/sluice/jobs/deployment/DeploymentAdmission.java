package dev.sluice.jobs.deployment;

import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.jobs.admission.Defaults;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.ServingKind;
import dev.sluice.rules.Field;
import dev.sluice.rules.PatchRecorder;
import java.util.List;

/** The Deployment, whose Pods are jobs of their own. */
public final class DeploymentAdmission implements ServingKind {
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
  public List<Field> templates(Field root) {
    return List.of(root.child("spec").child("template").child("metadata"));
  }

  @Override
  public void setTemplates(JobReview review, PatchRecorder draft) {
    setParent(draft, TEMPLATE);
    Defaults.templateLabel(draft, Labels.MANAGED, "true", TEMPLATE);
    ServingKind.copyLabels(draft, TEMPLATE);
  }
}
