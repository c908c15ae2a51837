package dev.sluice.cli.doctor.definition;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;

/** The smallest objects of each kind that an API server takes at every version. */
final class ProbeObjects {
  /** What a probe is called; it is never stored. */
  static final String NAME = "sluice-doctor-probe";

  private static final String SECRET = "{'location':'" + NAME + "','locationType':'Secret'}";
  private static final JsonMapper JSON = new JsonMapper();

  private ProbeObjects() {}

  /** An object of a kind at a version. */
  static ObjectNode of(ApiKind kind, ApiVersion version) {
    ObjectNode object = tree(body(kind.kind(), version));
    object.put("apiVersion", version.groupVersion()).put("kind", kind.kind());
    object.putObject("metadata").put("name", NAME);
    return object;
  }

  /** The same, with a field manager that wrote a part at another version. */
  static ObjectNode sharedWith(ApiKind kind, ApiVersion version, ApiVersion other) {
    ObjectNode object = of(kind, version);
    ObjectNode owner = object.withArray("/metadata/managedFields").addObject();
    owner.put("manager", NAME).put("operation", "Update").put("apiVersion", other.groupVersion());
    owner.put("time", "2026-01-01T00:00:00Z").put("fieldsType", "FieldsV1");
    owner.putObject("fieldsV1").putObject("f:spec");
    return object;
  }

  private static String body(String kind, ApiVersion version) {
    return switch (kind) {
      case "Topology" -> "{'spec':{'levels':[{'nodeLabel':'kubernetes.io/hostname'}]}}";
      case "AdmissionCheck" -> "{'spec':{'controllerName':'sluice.dev/doctor'}}";
      case "LocalQueue" -> "{'spec':{'clusterQueue':'sluice-doctor-probe'}}";
      case "MultiKueueCluster" ->
          version == ApiVersion.HUB
              ? "{'spec':{'clusterSource':{'kubeConfig':" + SECRET + "}}}"
              : "{'spec':{'kubeConfig':" + SECRET + "}}";
      case "MultiKueueConfig" -> "{'spec':{'clusters':['sluice-doctor-probe']}}";
      case "ProvisioningRequestConfig" -> "{'spec':{'provisioningClassName':'sluice.dev'}}";
      case "WorkloadPriorityClass" -> "{'value':0}";
      case "Workload" ->
          "{'spec':{'podSets':[{'name':'main','count':1,'template':{'spec':{'containers':["
              + "{'name':'c','image':'none'}]}}}]}}";
      default -> "{'spec':{}}";
    };
  }

  private static ObjectNode tree(String text) {
    try {
      return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a probe object is no JSON: " + text, e);
    }
  }
}
