package dev.sluice.cli.scan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sluice.server.program.CommandException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The records about some components in a database in the OSV format.
 *
 * @param advisories those that are not withdrawn and name one of the components
 * @param records how many were read in all
 * @param known the ecosystems that some record is about
 * @param newest when the newest was changed, as it says; empty if none says it
 */
record AdvisoryDatabase(
    List<Advisory> advisories, int records, Set<Ecosystem> known, String newest) {
  private static final JsonMapper JSON = new JsonMapper();

  /** The largest record, in bytes; those of public databases have less than one megabyte. */
  static final int LARGEST_RECORD = 16 << 20;

  /** Collects while files are read. */
  private static final class Reading {
    private final Set<String> names = new HashSet<>();
    private final List<Advisory> advisories = new ArrayList<>();
    private final Set<Ecosystem> known = EnumSet.noneOf(Ecosystem.class);
    private String newest = "";
    private int records;

    private void add(JsonNode record) {
      records++;
      String modified = record.path("modified").asText();
      newest = modified.compareTo(newest) > 0 ? modified : newest;
      boolean isOfInterest = false;
      for (JsonNode affected : record.path("affected")) {
        String ecosystem = affected.at("/package/ecosystem").asText().replaceFirst(":.*", "");
        for (Ecosystem each : Ecosystem.values()) {
          if (each.label().equals(ecosystem)) {
            known.add(each);
          }
        }
        isOfInterest |= names.contains(affected.at("/package/name").asText());
      }
      Advisory advisory = new Advisory(record);
      if (isOfInterest && !advisory.isWithdrawn()) {
        advisories.add(advisory);
      }
    }
  }

  /**
   * Reads all files of a folder, or one file: records as {@code .json}, and {@code .zip} with
   * records.
   *
   * @throws CommandException if it cannot be read, or a file is no record
   */
  static AdvisoryDatabase read(Path path, Collection<Component> components) {
    Reading reading = new Reading();
    components.forEach(it -> reading.names.add(it.name()));
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        if (file.toString().endsWith(".json")) {
          try (InputStream in = Files.newInputStream(file)) {
            reading.add(record(file.toString(), bounded(file.toString(), in)));
          }
        } else if (file.toString().endsWith(".zip")) {
          readZip(file, reading);
        }
      }
    } catch (IOException e) {
      throw new CommandException(path + ": cannot be read: " + e.getMessage(), e);
    }
    return new AdvisoryDatabase(
        List.copyOf(reading.advisories), reading.records, reading.known, reading.newest);
  }

  private static void readZip(Path file, Reading reading) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        if (entry.getName().endsWith(".json")) {
          String where = file + ": " + entry.getName();
          reading.add(record(where, bounded(where, zip)));
        }
      }
    }
  }

  /** The rest of the stream: an entry of an archive can be far larger than the archive. */
  private static byte[] bounded(String where, InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(LARGEST_RECORD + 1);
    if (bytes.length > LARGEST_RECORD) {
      throw new CommandException(
          "%s: is larger than a record (expected: at most %d MiB)"
              .formatted(where, LARGEST_RECORD >> 20));
    }
    return bytes;
  }

  private static JsonNode record(String where, byte[] text) throws IOException {
    try {
      JsonNode record = JSON.readTree(text);
      if (!record.path("id").isTextual()) {
        throw new CommandException(where + ": has no id (expected: a record in the OSV format)");
      }
      return record;
    } catch (JsonProcessingException e) {
      throw new CommandException(where + ": is no JSON: " + e.getOriginalMessage(), e);
    }
  }
}
