package dev.sluice.lifecycle.variant;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.read.HubObjects;
import dev.sluice.api.workload.Workload;
import dev.sluice.api.workload.WorkloadSpec;
import dev.sluice.api.write.Write;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * Keeps what a variant has from its parent as the parent has it now: its requests until quota is
 * reserved for them, its priority and the annotations that its checks and its place in the queue
 * depend on at any time.
 */
final class InheritedFields {
  /** Members of a spec that are absent in the parent once they were removed there. */
  private static final List<String> REMOVABLE =
      List.of("queueName", "priorityClassRef", "priority");

  private InheritedFields() {}

  /** Brings all of them up to date; this activates a deactivated variant. */
  static List<Write> followed(Workload parent, Workload variant) {
    WorkloadSpec wanted = Variants.spec(parent);
    ObjectNode body = annotations(parent, variant);
    if (!activated(variant.spec()).equals(wanted)) {
      ObjectNode spec = HubObjects.write(wanted);
      for (String member : REMOVABLE) {
        if (!spec.has(member)) {
          spec.putNull(member);
        }
      }
      body.set("spec", spec);
    } else if (!variant.spec().active()) {
      return Activity.set(parent, variant, true); // the annotations are next
    }
    return patched(variant, body);
  }

  /** Those that may change while quota is reserved. */
  static List<Write> followedWhileReserved(Workload parent, Workload variant) {
    ObjectNode body = annotations(parent, variant);
    Integer priority = parent.spec().priority();
    if (priority != null && !priority.equals(variant.spec().priority())) {
      body.putObject("spec").put("priority", priority);
    }
    return patched(variant, body);
  }

  private static ObjectNode annotations(Workload parent, Workload variant) {
    Map<String, String> wanted = Variants.copiedAnnotations(parent);
    Map<String, String> own = Variants.copiedAnnotations(variant);
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (!wanted.equals(own)) {
      ObjectNode changes = body.putObject("metadata").putObject("annotations");
      TreeSet<String> keys = new TreeSet<>(wanted.keySet());
      keys.addAll(own.keySet());
      keys.removeIf(it -> Objects.equals(wanted.get(it), own.get(it)));
      keys.forEach(it -> changes.put(it, wanted.get(it)));
    }
    return body;
  }

  private static List<Write> patched(Workload variant, ObjectNode body) {
    return body.isEmpty() ? List.of() : List.of(Variants.patch(variant, body));
  }

  private static WorkloadSpec activated(WorkloadSpec own) {
    return new WorkloadSpec(
        own.podSets(),
        own.queueName(),
        own.priorityClassRef(),
        own.priority(),
        true,
        own.maximumExecutionTimeSeconds(),
        own.preemptionGates());
  }
}
