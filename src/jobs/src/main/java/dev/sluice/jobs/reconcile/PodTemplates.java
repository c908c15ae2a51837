package dev.sluice.jobs.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.injection.Templates;
import dev.sluice.jobs.object.TemplatePaths;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The Pod templates of a job of one object: an admission changes them, and a stop restores them.
 */
public interface PodTemplates {
  /**
   * Writes what was assigned into the job.
   *
   * @param job changed
   * @param injections one per Pod set, in order
   * @return why it cannot be written; the job is then unusable
   */
  Optional<String> inject(ObjectNode job, List<Injection> injections);

  /**
   * Restores the templates from the Workload.
   *
   * @param job changed
   * @param podSets those of the Workload, in order, as many as the job has
   */
  void restore(ObjectNode job, List<JsonNode> podSets);

  /**
   * The Pod templates at the end of these paths, one per Pod set, in order.
   *
   * @param paths worked out when they are needed: few plans write templates
   */
  static PodTemplates at(Supplier<List<List<String>>> paths) {
    return new AtPaths(paths);
  }

  /**
   * Pod templates as Kubernetes has them.
   *
   * @param paths an item of a list is named by its number
   */
  record AtPaths(Supplier<List<List<String>>> paths) implements PodTemplates {
    @Override
    public Optional<String> inject(ObjectNode job, List<Injection> injections) {
      List<List<String>> all = paths.get();
      for (int i = 0; i < Math.min(all.size(), injections.size()); i++) {
        if (TemplatePaths.at(job, all.get(i)) instanceof ObjectNode template) {
          Optional<String> problem = injections.get(i).into(template);
          if (problem.isPresent()) {
            return problem;
          }
        }
      }
      return Optional.empty();
    }

    @Override
    public void restore(ObjectNode job, List<JsonNode> podSets) {
      List<List<String>> all = paths.get();
      for (int i = 0; i < Math.min(all.size(), podSets.size()); i++) {
        if (TemplatePaths.at(job, all.get(i)) instanceof ObjectNode template) {
          Templates.restore(template, podSets.get(i).path("template"), Set.of());
        }
      }
    }
  }
}
