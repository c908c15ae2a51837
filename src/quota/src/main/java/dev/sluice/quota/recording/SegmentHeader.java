package dev.sluice.quota.recording;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.quota.ObjectKind;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * What a segment says of itself.
 *
 * @param run which recording of one engine it belongs to; unique
 * @param ordinal the number of the segment in its run, from 0
 * @param sequence of its first event, a checkpoint
 * @param fresh whether that checkpoint is the whole memory of the engine, which is new
 * @param program the version that wrote it, for people
 * @param previous the hash of the last frame of the segment before it in its run; empty for none
 * @param configuration of the engine, as {@link ConfigurationDocument} writes it
 */
public record SegmentHeader(
    String run,
    int ordinal,
    long sequence,
    boolean fresh,
    String program,
    String previous,
    JsonNode configuration) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String OBJECTS = fingerprint();

  /** All that two builds have to agree on to read each other's objects. */
  private static String fingerprint() {
    StringBuilder text = new StringBuilder();
    ObjectKind.all().stream()
        .sorted((a, b) -> a.id().toString().compareTo(b.id().toString()))
        .forEach(
            kind -> {
              text.append(kind.id()).append('=');
              RecordForm.of(kind.type()).describe(text);
            });
    MessageDigest digest = SegmentWriter.sha256();
    byte[] hash = digest.digest(text.toString().getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash, 0, 8);
  }

  byte[] bytes() {
    ObjectNode header = JsonNodeFactory.instance.objectNode();
    header.put("run", run).put("ordinal", ordinal).put("sequence", sequence);
    header.put("fresh", fresh).put("program", program).put("previous", previous);
    header.put("objects", OBJECTS);
    header.set("configuration", configuration);
    return header.toString().getBytes(StandardCharsets.UTF_8);
  }

  static SegmentHeader read(byte[] bytes) {
    JsonNode header;
    try {
      header = MAPPER.readTree(new String(bytes, StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      throw new MalformedRecordingException("the header is no JSON", e);
    }
    String program = header.path("program").asText();
    if (!header.path("objects").asText().equals(OBJECTS)) {
      throw new MalformedRecordingException(
          "written by version "
              + program
              + ", whose objects have other fields (expected: replayed by that version)");
    }
    return new SegmentHeader(
        header.path("run").asText(),
        header.path("ordinal").asInt(),
        header.path("sequence").asLong(),
        header.path("fresh").asBoolean(),
        program,
        header.path("previous").asText(),
        header.path("configuration"));
  }
}
