package dev.sluice.jobs.custom;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.configuration.CustomKind;
import dev.sluice.api.configuration.ObjectPath;
import dev.sluice.api.meta.Conditions;
import dev.sluice.api.names.DnsLabel;
import dev.sluice.jobs.object.TemplatePaths;
import dev.sluice.jobs.reconcile.Job;
import dev.sluice.jobs.reconcile.PodTemplates;
import dev.sluice.jobs.reconcile.TemplatedJob;
import dev.sluice.jobs.workload.PodSetShape;
import dev.sluice.jobs.workload.PodSetTopology;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The progress of a job of a custom kind. A {@code replicas} beside a template is its number of
 * Pods; otherwise it is one.
 *
 * @param tree the job
 * @param templates the paths of its templates
 * @param managedBy the field that names its controller; empty if the kind has none
 */
public record CustomJobs(JsonNode tree, List<List<String>> templates, List<String> managedBy)
    implements TemplatedJob.Progress {
  private static final String INDEX = "apps.kubernetes.io/pod-index";

  public CustomJobs {
    templates = List.copyOf(templates);
    managedBy = List.copyOf(managedBy);
  }

  /** The job, of a kind that has a switch. */
  public static Job job(JsonNode tree, CustomKind kind) {
    List<List<String>> templates = templates(tree, kind);
    return new TemplatedJob(
        kind.type(),
        TemplatedJob.reporter(
            kind.type().group() + "/" + kind.type().kind().toLowerCase(Locale.ROOT)),
        tree,
        kind.suspendPath().map(it -> switches(it, tree)).orElse(List.of()),
        PodTemplates.at(() -> templates),
        new CustomJobs(
            tree, templates, kind.managedByPath().map(ObjectPath::steps).orElse(List.of())));
  }

  /** The ways to the Pod templates of a job. */
  static List<List<String>> templates(JsonNode tree, CustomKind kind) {
    return kind.podTemplatePaths().stream()
        .flatMap(it -> TemplatePaths.of(it, tree).stream())
        .map(List::of)
        .toList();
  }

  private static List<List<String>> switches(ObjectPath path, JsonNode tree) {
    List<String> steps = path.steps();
    if (!path.hasMany() || steps.size() == 1) {
      return List.of(steps);
    }
    List<List<String>> switches = new ArrayList<>();
    var parent = new ObjectPath(steps.subList(0, steps.size() - 1));
    for (String[] way : TemplatePaths.of(parent, tree)) {
      List<String> whole = new ArrayList<>(List.of(way));
      whole.add(steps.getLast());
      switches.add(whole);
    }
    return switches;
  }

  @Override
  public boolean isActive() {
    return tree.path("status").path("active").asInt() != 0;
  }

  @Override
  public boolean isReady() {
    return Conditions.isTrue(tree, "Ready") || Conditions.isTrue(tree, "Running");
  }

  @Override
  public Optional<Job.Finish> finish() {
    return TemplatedJob.finish(
        tree, List.of("Complete", "Completed", "Succeeded"), List.of("Failed"));
  }

  @Override
  public List<PodSetShape> podSets() {
    List<PodSetShape> podSets = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (List<String> way : templates) {
      JsonNode template = TemplatedJob.at(tree, way);
      JsonNode parent = TemplatedJob.at(tree, way.subList(0, way.size() - 1));
      String name = name(way, parent);
      podSets.add(
          new PodSetShape(
              names.add(name) ? name : "template-" + podSets.size(),
              PodSetShape.rawTemplate(template),
              parent.path("replicas").asInt(1),
              OptionalInt.empty(),
              PodSetTopology.request(template.path("metadata").path("annotations"), INDEX)));
    }
    return podSets;
  }

  /**
   * The name of the field around it, or its key in a map; main if that is not a valid name of a Pod
   * set.
   */
  private static String name(List<String> way, JsonNode parent) {
    String key = way.size() > 1 ? way.get(way.size() - 2) : "";
    return List.of(parent.path("name").asText(""), key).stream()
        .map(it -> it.toLowerCase(Locale.ROOT))
        .filter(it -> !it.equals("spec") && !it.matches("[0-9]+"))
        .filter(it -> DnsLabel.problems(it).isEmpty())
        .findFirst()
        .orElse("main");
  }
}
