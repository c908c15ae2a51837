package dev.sluice.server.see;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.sluice.api.meta.OwnerReference;
import dev.sluice.see.visibility.PendingWorkload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Writes the object with which the visibility API answers. Straight to bytes: a page may have
 * 100,000 workloads.
 */
final class PendingWorkloadsSummary {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int BYTES_PER_ITEM = 384;

  private PendingWorkloadsSummary() {}

  /** The object in that version of the group. */
  static byte[] write(String version, List<PendingWorkload> workloads) {
    var bytes = new ByteArrayOutputStream(BYTES_PER_ITEM * (workloads.size() + 1));
    try (JsonGenerator out = JSON.createGenerator(bytes)) {
      out.writeStartObject();
      out.writeStringField("kind", VisibilityApi.SUMMARY);
      out.writeStringField("apiVersion", VisibilityApi.API.name() + "/" + version);
      out.writeObjectFieldStart("metadata");
      out.writeEndObject();
      out.writeArrayFieldStart("items");
      for (PendingWorkload workload : workloads) {
        write(workload, out);
      }
      out.writeEndArray();
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("bytes in memory cannot be written", e);
    }
    return bytes.toByteArray();
  }

  private static void write(PendingWorkload workload, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeObjectFieldStart("metadata");
    out.writeStringField("name", workload.key().name());
    out.writeStringField("namespace", workload.key().namespace());
    var created = workload.creationTimestamp();
    out.writeStringField("creationTimestamp", created == null ? null : created.toString());
    if (!workload.ownerReferences().isEmpty()) {
      out.writeArrayFieldStart("ownerReferences");
      for (OwnerReference owner : workload.ownerReferences()) {
        out.writeStartObject();
        out.writeStringField("apiVersion", owner.apiVersion());
        out.writeStringField("kind", owner.kind());
        out.writeStringField("name", owner.name());
        out.writeStringField("uid", owner.uid());
        out.writeEndObject();
      }
      out.writeEndArray();
    }
    out.writeEndObject();
    out.writeNumberField("priority", workload.priority());
    out.writeStringField("localQueueName", workload.localQueueName());
    out.writeNumberField("positionInClusterQueue", workload.positionInClusterQueue());
    out.writeNumberField("positionInLocalQueue", workload.positionInLocalQueue());
    out.writeEndObject();
  }
}
