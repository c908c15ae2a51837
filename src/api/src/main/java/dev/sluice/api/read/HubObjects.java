package dev.sluice.api.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.check.AdmissionCheck;
import dev.sluice.api.check.MultiKueueCluster;
import dev.sluice.api.check.MultiKueueConfig;
import dev.sluice.api.check.ProvisioningRequestConfig;
import dev.sluice.api.flavor.ResourceFlavor;
import dev.sluice.api.flavor.Topology;
import dev.sluice.api.meta.HubObject;
import dev.sluice.api.priority.WorkloadPriorityClass;
import dev.sluice.api.queue.ClusterQueue;
import dev.sluice.api.queue.Cohort;
import dev.sluice.api.queue.LocalQueue;
import dev.sluice.api.workload.Workload;
import java.io.IOException;

/**
 * Reads objects as records, and writes them. A missing field has its default; an unknown field is
 * skipped, since it stays in the stored object. The version of an object is not checked: convert it
 * to the hub version first. Thread-safe.
 */
public final class HubObjects {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private HubObjects() {}

  /** The record of this kind. */
  public static Class<? extends HubObject> type(ApiKind kind) {
    return switch (kind) {
      case ADMISSION_CHECK -> AdmissionCheck.class;
      case CLUSTER_QUEUE -> ClusterQueue.class;
      case COHORT -> Cohort.class;
      case LOCAL_QUEUE -> LocalQueue.class;
      case MULTI_KUEUE_CLUSTER -> MultiKueueCluster.class;
      case MULTI_KUEUE_CONFIG -> MultiKueueConfig.class;
      case PROVISIONING_REQUEST_CONFIG -> ProvisioningRequestConfig.class;
      case RESOURCE_FLAVOR -> ResourceFlavor.class;
      case TOPOLOGY -> Topology.class;
      case WORKLOAD -> Workload.class;
      case WORKLOAD_PRIORITY_CLASS -> WorkloadPriorityClass.class;
    };
  }

  /**
   * Reads the JSON of an object of this kind at the hub version.
   *
   * @throws MalformedObjectException naming the object and the field, if it has not the form of its
   *     kind
   */
  public static HubObject read(ApiKind kind, JsonNode object) {
    return read(type(kind), object);
  }

  /**
   * Reads the bytes of an object of this kind at the hub version.
   *
   * @throws MalformedObjectException naming the object and the field, if it has not the form of its
   *     kind or is no JSON
   */
  public static HubObject read(ApiKind kind, byte[] object) {
    return read(type(kind), object);
  }

  /** As {@link #read(ApiKind, byte[])}, for one of our types. */
  public static <T> T read(Class<T> type, byte[] object) {
    return read(type, parse(type, object));
  }

  /**
   * Reads the JSON of an object as one of the records of this module, those of Kubernetes itself
   * and the parts of objects included.
   *
   * @throws MalformedObjectException naming the object and the field, if it has not that form
   */
  public static <T> T read(Class<T> type, JsonNode object) {
    try {
      return type.cast(RecordReader.of(type).read(object));
    } catch (MalformedFieldException e) {
      throw new MalformedObjectException(nameOf(type, object), e.path(), e.problem());
    }
  }

  /**
   * Writes a record as the JSON it could have been read from, in a tree of the caller's own. What
   * is absent or an empty list or map is left out, defaults are not.
   */
  public static ObjectNode write(Record object) {
    return RecordWriter.write(object);
  }

  private static JsonNode parse(Class<?> type, byte[] object) {
    try {
      return JSON.readTree(object);
    } catch (JsonProcessingException e) {
      throw new MalformedObjectException(
          type.getSimpleName(), "the object", "is no JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new IllegalStateException("bytes in memory cannot be read", e);
    }
  }

  private static String nameOf(Class<?> type, JsonNode object) {
    String namespace = object.path("metadata").path("namespace").asText("");
    String name = object.path("metadata").path("name").asText("");
    return (type.getSimpleName() + " " + (namespace.isEmpty() ? name : namespace + "/" + name))
        .strip();
  }
}
