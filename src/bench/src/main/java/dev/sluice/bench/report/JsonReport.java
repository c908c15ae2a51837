package dev.sluice.bench.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.bench.load.Memory;
import dev.sluice.bench.load.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A run for programs: all numbers as they were measured, units in the names. */
final class JsonReport {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private JsonReport() {}

  static String of(Instant began, Machine machine, List<Row> rows, List<Memory> memory) {
    ObjectNode run = MAPPER.createObjectNode();
    run.put("began", began.toString()).put("machine", machine.description());
    var cells = run.putArray("cells");
    rows.forEach(row -> put(row, cells.addObject()));
    var sizes = run.putArray("memory");
    memory.forEach(size -> put(size, sizes.addObject()));
    try {
      return MAPPER.writeValueAsString(run) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a tree in memory cannot be written", e);
    }
  }

  private static void put(Row row, ObjectNode cell) {
    Sample sample = row.sample();
    cell.put("objects", row.objects()).put("load", row.load().words()).put("what", row.what());
    cell.put("sent", sample.sent()).put("answered", sample.answered());
    cell.put("failed", sample.failed());
    cell.put("requestsPerSecond", sample.requestsPerSecond());
    cell.put("objectsPerSecond", sample.objectsPerSecond());
    cell.put("megabytesPerSecond", sample.megabytesPerSecond());
    cell.put("p50Millis", millis(sample.latency().p50()));
    cell.put("p99Millis", millis(sample.latency().p99()));
    cell.put("maxMillis", millis(sample.latency().max()));
    cell.put("cpuMicrosPerObject", sample.microsPerObject());
    cell.put("spread", sample.spread());
    cell.put("othersProcessors", (double) sample.usage().others().toNanos() / nanos(sample));
  }

  private static void put(Memory memory, ObjectNode size) {
    size.put("objects", memory.objects()).put("requestBytes", memory.requestBytes());
    size.put("heldBytes", memory.heldBytes()).put("allocatedBytes", memory.allocatedBytes());
    size.put("serverLiveHeapBytes", memory.server().liveHeapBytes());
    size.put("serverResidentBytes", memory.server().residentBytes());
  }

  private static long nanos(Sample sample) {
    return sample.time().toNanos();
  }

  private static double millis(Duration time) {
    return time.toNanos() / 1e6;
  }
}
