package dev.sluice.jobs.toy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.jobs.admission.JobKind;
import dev.sluice.jobs.admission.JobReview;
import dev.sluice.jobs.admission.SuspendableKind;
import dev.sluice.jobs.integration.JobIntegration;
import dev.sluice.jobs.integration.JobLife;
import dev.sluice.jobs.object.JobObject;
import dev.sluice.jobs.plan.JobSettings;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.PodTemplates;
import dev.sluice.jobs.reconcile.TemplatedJob;
import dev.sluice.jobs.topology.PodSet;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.PodSetTopology;
import dev.sluice.rules.Field;
import dev.sluice.rules.FieldError;
import dev.sluice.rules.ValidationResult;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A Rendering makes {@code spec.frames} Pods of one template unless {@code spec.paused} is true.
 */
public final class RenderingIntegration implements JobIntegration {
  /** The kind. */
  public static final GroupVersionKind KIND =
      new GroupVersionKind("studio.example.com", "v1", "Rendering");

  private static final String FRAMEWORK = "studio.example.com/rendering";
  private static final List<String> SWITCH = List.of("spec", "paused");

  @Override
  public JobKind admission() {
    return new Admission();
  }

  @Override
  public JobLife life() {
    return JobLife.of(RenderingIntegration::job);
  }

  @Override
  public boolean isEnabled(JobSettings settings) {
    return true; // a configuration knows only the frameworks of the product
  }

  private static Job job(JsonNode tree) {
    return new TemplatedJob(
        KIND,
        TemplatedJob.reporter(FRAMEWORK),
        tree,
        List.of(SWITCH),
        PodTemplates.at(() -> List.of(List.of("spec", "template"))),
        new Progress(tree));
  }

  private record Admission() implements SuspendableKind {
    @Override
    public GroupVersionKind kind() {
      return KIND;
    }

    @Override
    public String framework() {
      return FRAMEWORK;
    }

    @Override
    public List<String> suspendPath() {
      return SWITCH;
    }

    @Override
    public List<PodSet> podSets(JobReview review, JobObject job) {
      Field spec = job.spec();
      return List.of(
          PodSet.of("frames", spec.child("template"), spec.child("frames").node().asLong()));
    }

    @Override
    public void checkOwn(JobReview review, JobObject job, ValidationResult findings) {
      Field frames = job.spec().child("frames");
      if (frames.node().asInt() < 1) {
        findings.add(FieldError.invalid(frames, "must be at least 1"));
      }
    }
  }

  private record Progress(JsonNode tree) implements TemplatedJob.Progress {
    private int frames() {
      return tree.path("spec").path("frames").asInt();
    }

    @Override
    public boolean isActive() {
      return tree.path("status").path("running").asInt() > 0;
    }

    @Override
    public boolean isReady() {
      return tree.path("status").path("running").asInt() == frames();
    }

    @Override
    public Optional<Job.Finish> finish() {
      return TemplatedJob.finish(tree, List.of("Rendered"), List.of("Broken"));
    }

    @Override
    public List<PodSetShape> podSets() {
      JsonNode template = tree.path("spec").path("template");
      return List.of(
          new PodSetShape(
              "frames",
              PodSetShape.template(template, List.of()),
              frames(),
              OptionalInt.empty(),
              PodSetTopology.request(template.path("metadata").path("annotations"))));
    }
  }
}
