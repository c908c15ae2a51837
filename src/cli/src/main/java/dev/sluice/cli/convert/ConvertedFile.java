package dev.sluice.cli.convert;

import dev.sluice.json.Json;
import dev.sluice.json.yaml.Manifest.Format;
import java.util.List;

/**
 * The result of converting one file.
 *
 * @param file the file as it was named, {@code -} for standard input
 * @param before its text as it was read
 * @param after its text with all documents converted that can be
 * @param format how its documents are written
 * @param values the documents that can be converted, at their new version
 * @param converted how many documents have other content now
 * @param unchanged how many have not
 * @param problems what cannot be converted, each with its place
 */
record ConvertedFile(
    String file,
    String before,
    String after,
    Format format,
    List<Json> values,
    int converted,
    int unchanged,
    List<String> problems) {
  ConvertedFile {
    values = List.copyOf(values);
    problems = List.copyOf(problems);
  }

  boolean isChanged() {
    return !after.equals(before);
  }

  String displayName() {
    return file.equals("-") ? "stdin" : file;
  }
}
