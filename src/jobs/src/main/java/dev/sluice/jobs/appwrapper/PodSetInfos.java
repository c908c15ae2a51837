package dev.sluice.jobs.appwrapper;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.reconcile.PodTemplates;
import java.util.List;
import java.util.Optional;

/**
 * The changes of an admission to the Pods of an AppWrapper are stored beside its components, in
 * {@code podSetInfos}, one per Pod set; the controller of AppWrappers writes it into the templates.
 *
 * @param pods the Pod sets, in order
 */
record PodSetInfos(List<WrappedPods> pods) implements PodTemplates {
  private static final String FIELD = "podSetInfos";

  PodSetInfos {
    pods = List.copyOf(pods);
  }

  @Override
  public Optional<String> inject(ObjectNode job, List<Injection> injections) {
    remove(job);
    for (int i = 0; i < Math.min(pods.size(), injections.size()); i++) {
      Injection injection = injections.get(i);
      Optional<String> conflict = conflict(pods.get(i).template(job), injection);
      if (conflict.isPresent()) {
        return conflict;
      }
      if (components(job).path(pods.get(i).component()) instanceof ObjectNode component) {
        Patches.list(component, FIELD).add(info(injection));
      }
    }
    return Optional.empty();
  }

  /** Why the template cannot take the change; its controller would notice that too late. */
  private static Optional<String> conflict(JsonNode template, Injection injection) {
    return template.deepCopy() instanceof ObjectNode copy ? injection.into(copy) : Optional.empty();
  }

  private static ObjectNode info(Injection injection) {
    ObjectNode template = Patches.object();
    injection.into(template);
    ObjectNode info = Patches.object();
    info.setAll((ObjectNode) template.path("metadata"));
    info.setAll((ObjectNode) template.path("spec"));
    return info;
  }

  @Override
  public void restore(ObjectNode job, List<JsonNode> podSets) {
    remove(job);
  }

  private static void remove(ObjectNode job) {
    for (JsonNode component : components(job)) {
      if (component instanceof ObjectNode object) {
        object.remove(FIELD);
      }
    }
  }

  private static JsonNode components(ObjectNode job) {
    return job.path("spec").path("components");
  }
}
