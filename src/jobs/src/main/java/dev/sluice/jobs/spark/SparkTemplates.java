package dev.sluice.jobs.spark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.vocabulary.Annotations;
import dev.sluice.api.write.MergePatch;
import dev.sluice.jobs.injection.Injection;
import dev.sluice.jobs.injection.Templates;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.reconcile.PodTemplates;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an admission adds to the Pods of a Spark application: driver and executor have labels,
 * annotations, node selector and tolerations of their own. A node selector of the whole application
 * excludes theirs, so at the start both get it instead. A Workload does not record where a label
 * was, so an annotation of the running application stores how to undo its start.
 */
final class SparkTemplates implements PodTemplates {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String TEMPLATE = "template";
  private static final String METADATA = "metadata";
  private static final String SPEC = "spec";
  private static final List<String> OF_METADATA = List.of("annotations", "labels");
  private static final List<String> OF_SPEC =
      List.of(SparkPods.NODE_SELECTOR, SparkPods.TOLERATIONS);

  @Override
  public Optional<String> inject(ObjectNode job, List<Injection> injections) {
    ObjectNode original = asWritten(job, injections);
    ObjectNode spec = original.deepCopy();
    Optional<String> problem = start(spec, injections);
    if (problem.isEmpty()) {
      job.set(SPEC, spec);
      Patches.child(Patches.child(job, METADATA), "annotations")
          .put(Annotations.UNDO_START, MergePatch.between(spec, original).toString());
    }
    return problem;
  }

  /** Adds to the roles of a spec what was assigned to them. */
  private static Optional<String> start(ObjectNode spec, List<Injection> injections) {
    spreadNodeSelector(spec);
    for (int i = 0; i < Math.min(SparkPods.ROLES.size(), injections.size()); i++) {
      ObjectNode role = Patches.child(spec, SparkPods.ROLES.get(i));
      Optional<String> problem = inject(role, injections.get(i));
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  /** The spec as its user wrote it, also if the application was started before and not stopped. */
  private static ObjectNode asWritten(ObjectNode job, List<Injection> injections) {
    ObjectNode spec = Patches.child(job, SPEC);
    Optional<JsonNode> undo = undo(job);
    if (undo.isEmpty()) {
      return spec.deepCopy();
    }
    ObjectNode started = MergePatch.applied(spec, undo.get()).deepCopy();
    boolean isKnown = start(started, injections).isEmpty();
    return MergePatch.applied(spec, isKnown ? unchanged(undo.get(), spec, started) : undo.get())
        .deepCopy();
  }

  /** The part of an undo whose fields are as that start set them; a user changed the others. */
  private static ObjectNode unchanged(JsonNode undo, JsonNode spec, JsonNode started) {
    ObjectNode part = Patches.object();
    for (Map.Entry<String, JsonNode> field : undo.properties()) {
      String name = field.getKey();
      JsonNode now = spec.path(name);
      JsonNode then = started.path(name);
      if (now.equals(then)) {
        part.set(name, field.getValue());
      } else if (now.isObject() && then.isObject()) {
        part.set(name, unchanged(byField(field.getValue(), then), now, then));
      }
    }
    return part;
  }

  /** The removal of an object as that of its fields, so that those that a user added stay. */
  private static JsonNode byField(JsonNode undo, JsonNode started) {
    if (undo.isObject()) {
      return undo;
    }
    ObjectNode removal = Patches.object();
    started.fieldNames().forEachRemaining(removal::putNull);
    return removal;
  }

  private static void spreadNodeSelector(ObjectNode spec) {
    JsonNode common = spec.path(SparkPods.NODE_SELECTOR);
    for (String role : SparkPods.ROLES) {
      for (Map.Entry<String, JsonNode> label : common.properties()) {
        Patches.child(Patches.child(spec, role), SparkPods.NODE_SELECTOR)
            .set(label.getKey(), label.getValue());
      }
    }
    spec.remove(SparkPods.NODE_SELECTOR);
  }

  /** The operator uses only the template if there is one, and only a template can have a gate. */
  private static Optional<String> inject(ObjectNode role, Injection injection) {
    ObjectNode asTemplate = asTemplate(role);
    Optional<String> problem = injection.into(asTemplate);
    copy(asTemplate, role);
    boolean needsTemplate = role.path(TEMPLATE).isObject() || injection.holdsForTopology();
    if (problem.isPresent() || !needsTemplate) {
      return problem;
    }
    return injection.into(Patches.child(role, TEMPLATE));
  }

  private static ObjectNode asTemplate(ObjectNode role) {
    ObjectNode template = Patches.object();
    ObjectNode metadata = template.putObject(METADATA);
    OF_METADATA.stream()
        .filter(role::hasNonNull)
        .forEach(it -> metadata.set(it, role.path(it).deepCopy()));
    ObjectNode spec = template.putObject(SPEC);
    OF_SPEC.stream().filter(role::hasNonNull).forEach(it -> spec.set(it, role.path(it).deepCopy()));
    return template;
  }

  private static void copy(ObjectNode template, ObjectNode role) {
    OF_METADATA.forEach(it -> Templates.set(role, it, template.path(METADATA).path(it)));
    OF_SPEC.forEach(it -> Templates.set(role, it, template.path(SPEC).path(it)));
  }

  @Override
  public void restore(ObjectNode job, List<JsonNode> podSets) {
    Optional<JsonNode> undo = undo(job);
    if (undo.isPresent()) {
      job.set(SPEC, MergePatch.applied(job.path(SPEC), undo.get()));
    } else if (!job.path(SPEC).has(SparkPods.NODE_SELECTOR)) {
      restoreRoles(job, podSets);
    }
    forgetUndo(job);
  }

  private static Optional<JsonNode> undo(JsonNode job) {
    String text = job.path(METADATA).path("annotations").path(Annotations.UNDO_START).asText("");
    try {
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(MAPPER.readTree(text)).filter(JsonNode::isObject);
    } catch (JsonProcessingException e) {
      return Optional.empty(); // a user wrote there; the Workload remembers most of it
    }
  }

  private static void forgetUndo(ObjectNode job) {
    ObjectNode metadata = Patches.child(job, METADATA);
    if (metadata.path("annotations") instanceof ObjectNode annotations) {
      annotations.remove(Annotations.UNDO_START);
      if (annotations.isEmpty()) {
        metadata.remove("annotations");
      }
    }
  }

  /** For an application that another queueing system started. */
  private static void restoreRoles(ObjectNode job, List<JsonNode> podSets) {
    for (int i = 0; i < Math.min(SparkPods.ROLES.size(), podSets.size()); i++) {
      ObjectNode role = Patches.child(Patches.child(job, SPEC), SparkPods.ROLES.get(i));
      if (!role.path(TEMPLATE).isObject()) {
        ObjectNode original = podSets.get(i).path(TEMPLATE).deepCopy();
        copy(original, role);
      }
    }
  }
}
