package dev.sluice.json.yaml;

import dev.sluice.json.JsonSlice;
import java.util.OptionalInt;

/**
 * One document of a file or stream.
 *
 * @param place where it stands
 * @param format how it was written
 * @param value the document as JSON; numbers are spelled as they were in the file
 */
public record Manifest(Place place, Format format, JsonSlice value) {
  /** How a document is written. */
  public enum Format {
    YAML,
    JSON
  }

  /**
   * Where a document stands.
   *
   * @param file the file as it was named, {@code -} for standard input
   * @param line the line on which it begins, from 1
   * @param lines the lines of its fields
   */
  public record Place(String file, int line, FieldLines lines) {
    /** The place in the form that editors understand. */
    @Override
    public String toString() {
      return name() + ":" + line;
    }

    /** The place of a field, or of the nearest field around it. */
    public String of(String fieldPath) {
      return name() + ":" + lines.find(fieldPath).orElse(line);
    }

    private String name() {
      return file.equals("-") ? "stdin" : file;
    }
  }

  /** Finds lines of fields. */
  @FunctionalInterface
  public interface FieldLines {
    /** Knows no line. */
    FieldLines UNKNOWN = _ -> OptionalInt.empty();

    /**
     * The line of the field with this path, such as {@code spec.levels[2].nodeLabel}, or around it.
     */
    OptionalInt lookUp(String fieldPath);

    /** Like {@link #lookUp}, as an optional of an object. */
    default java.util.Optional<Integer> find(String fieldPath) {
      OptionalInt line = lookUp(fieldPath);
      return line.isPresent() ? java.util.Optional.of(line.getAsInt()) : java.util.Optional.empty();
    }
  }
}
