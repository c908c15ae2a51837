package dev.sluice.api.configuration;

import static dev.sluice.api.configuration.Problem.Type.UNKNOWN_FIELD;
import static dev.sluice.api.configuration.Problem.Type.WARNING;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects the problems of one document, and its known fields: suggestions for unknown fields need
 * all known ones.
 */
final class Problems {
  private final int document;
  private final List<Problem> found = new ArrayList<>();
  private final List<Unknown> unknown = new ArrayList<>();

  /** The default of each known field, by its path; an empty text if the reader names none. */
  private final Map<String, Object> known = new LinkedHashMap<>();

  private record Unknown(String path, String name, List<String> siblings) {}

  Problems(int document) {
    this.document = document;
  }

  void add(Problem.Type type, String path, String detail) {
    found.add(new Problem(document, type, path, detail));
  }

  /** Notes that there is such a field; indices and keys in the path are left out. */
  void know(String path) {
    known.putIfAbsent(path, "");
  }

  /** Notes what holds without that field. */
  void know(String path, Object byDefault) {
    known.put(path, byDefault);
  }

  /** The fields that were asked for, each with its default, or an empty text without one. */
  Map<String, Object> known() {
    return Collections.unmodifiableMap(known);
  }

  void unknown(String path, String name, List<String> siblings) {
    unknown.add(new Unknown(path, name, siblings));
  }

  /** Everything that makes the document unusable, unknown fields first. */
  List<Problem> errors() {
    List<Problem> errors = new ArrayList<>();
    for (Unknown field : unknown) {
      errors.add(new Problem(document, UNKNOWN_FIELD, field.path(), "unknown field" + hint(field)));
    }
    found.stream().filter(problem -> problem.type() != WARNING).forEach(errors::add);
    return errors;
  }

  List<Problem> warnings() {
    return found.stream().filter(problem -> problem.type() == WARNING).toList();
  }

  private String hint(Unknown field) {
    Optional<String> sibling = Spelling.nearest(field.name(), field.siblings());
    if (sibling.isPresent()) {
      String parent = field.path().substring(0, field.path().length() - field.name().length());
      return " (did you mean " + parent + sibling.get() + "?)";
    }
    return known.keySet().stream()
        .filter(path -> path.substring(path.lastIndexOf('.') + 1).equalsIgnoreCase(field.name()))
        .findFirst()
        .map(path -> " (it belongs at " + path + ")")
        .orElse(" (expected: one of " + String.join(", ", field.siblings()) + ")");
  }
}
