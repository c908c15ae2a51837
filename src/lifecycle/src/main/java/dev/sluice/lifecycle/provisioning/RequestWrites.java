package dev.sluice.lifecycle.provisioning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.api.check.ProvisioningRequestConfigSpec;
import dev.sluice.api.vocabulary.Controllers;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.api.vocabulary.Labels;
import dev.sluice.api.write.ObjectRef;
import dev.sluice.api.write.Write;
import dev.sluice.jobs.plan.Patches;
import dev.sluice.jobs.reconcile.WorkloadMaker;
import dev.sluice.jobs.workload.WorkloadView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Builds the request objects of a check, and compares them with the existing ones. Pure. */
final class RequestWrites {
  static final String MANAGER = Controllers.PROVISIONING_REQUEST;

  private RequestWrites() {}

  /** Creates the PodTemplate of one pod set; the Workload owns it until the request does. */
  static Write template(CheckedWorkload workload, String request, RequestedPodSet podSet) {
    ObjectNode body =
        owned(
            ProvisioningKinds.POD_TEMPLATE,
            workload,
            RequestNames.template(request, podSet.name()));
    Patches.child(body, "metadata").putObject("labels").put(Labels.MANAGED, "true");
    body.set("template", podSet.template());
    return new Write.Create(ObjectRef.of(ProvisioningKinds.POD_TEMPLATE, body), body, MANAGER);
  }

  /** Creates the request for these pod sets. */
  static Write request(
      CheckedWorkload workload,
      String name,
      ProvisioningRequestConfigSpec config,
      List<RequestedPodSet> podSets) {
    ObjectNode body = owned(ProvisioningKinds.REQUEST, workload, name);
    ObjectNode spec = body.putObject("spec");
    spec.put("provisioningClassName", config.provisioningClassName());
    Map<String, String> parameters = parameters(workload, config);
    if (!parameters.isEmpty()) {
      ObjectNode map = spec.putObject("parameters");
      parameters.forEach(map::put);
    }
    ArrayNode list = spec.putArray("podSets");
    counts(name, podSets)
        .forEach(
            (template, count) -> {
              ObjectNode podSet = list.addObject();
              podSet.putObject("podTemplateRef").put("name", template);
              podSet.put("count", count);
            });
    return new Write.Create(ObjectRef.of(ProvisioningKinds.REQUEST, body), body, MANAGER);
  }

  private static ObjectNode owned(GroupVersionKind kind, CheckedWorkload workload, String name) {
    ObjectNode body = Patches.object();
    body.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
    ObjectNode metadata = body.putObject("metadata");
    metadata.put("namespace", workload.namespace()).put("name", name);
    metadata.putArray("ownerReferences").add(controller(WorkloadView.TYPE, workload.tree()));
    return body;
  }

  private static ObjectNode controller(GroupVersionKind kind, JsonNode owner) {
    return WorkloadMaker.owner(kind, owner).put("controller", true);
  }

  /** Lets the request own a PodTemplate, so that they go together. */
  static Write adopted(JsonNode template, ProvisioningRequest request) {
    ObjectNode patch = Patches.object();
    patch
        .putObject("metadata")
        .putArray("ownerReferences")
        .add(controller(ProvisioningKinds.REQUEST, request.tree()));
    String version = template.path("metadata").path("resourceVersion").asText();
    return new Write.MergePatch(
        ObjectRef.of(ProvisioningKinds.POD_TEMPLATE, template), "", patch, MANAGER, version);
  }

  /** Whether the request equals the one that would be created now. */
  static boolean isAsAsked(
      ProvisioningRequest request,
      CheckedWorkload workload,
      ProvisioningRequestConfigSpec config,
      List<RequestedPodSet> podSets) {
    return request.className().equals(config.provisioningClassName())
        && request.parameters().equals(parameters(workload, config))
        && request.counts().equals(counts(request.name(), podSets));
  }

  private static Map<String, Integer> counts(String request, List<RequestedPodSet> podSets) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    podSets.forEach(it -> counts.put(RequestNames.template(request, it.name()), it.count()));
    return counts;
  }

  /** The annotations of a Workload override the configuration. */
  private static Map<String, String> parameters(
      CheckedWorkload workload, ProvisioningRequestConfigSpec config) {
    Map<String, String> parameters = new TreeMap<>(config.parameters());
    workload
        .typed()
        .metadata()
        .annotations()
        .forEach(
            (key, value) -> {
              if (key.startsWith(Domains.PROVISIONING_REQUEST)) {
                parameters.put(key.substring(Domains.PROVISIONING_REQUEST.length()), value);
              }
            });
    return parameters;
  }
}
