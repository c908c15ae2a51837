package dev.sluice.conversion.step;

import dev.sluice.json.Canonical;
import dev.sluice.json.Json;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.MalformedJsonException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one preserving annotation. Its text is a JSON object, entry name to value, in
 * canonical form; any user who may edit the object can edit the text, so nothing in it is trusted.
 */
final class PreservedFields {
  /** The entry that holds what {@code metadata.annotations} was when it was not a filled object. */
  static final String ANNOTATIONS = "annotations";

  /** The entry that ties derived entries to the status they were kept beside. */
  static final String STATUS_DIGEST = "statusDigest";

  /**
   * An entry lies a little deeper here than in its object, so the bound on depth is a wider one.
   */
  private static final JsonSyntax SYNTAX =
      new JsonSyntax(
          new JsonLimits(
              2 * JsonLimits.DEFAULT.maxDepth(),
              JsonLimits.DEFAULT.maxTextLength(),
              JsonLimits.DEFAULT.maxNumberLength()));

  private static final Comparator<String> BIGGEST_FIRST =
      Comparator.comparingInt((String text) -> text.getBytes(StandardCharsets.UTF_8).length)
          .reversed();

  private final Map<String, Json> entries = new LinkedHashMap<>();
  private final Map<String, String> texts = new LinkedHashMap<>();
  private final Set<String> derived = new LinkedHashSet<>();
  private boolean statusUnchanged;

  /** Reads the annotation's value; empty if it is no string that holds an object. */
  static Optional<PreservedFields> read(Json annotation) {
    String text = annotation instanceof JsonSlice slice ? slice.text() : null;
    if (text == null || text.length() > Annotations.ROOM) { // more than can be stored
      return Optional.empty();
    }
    try {
      Json value = SYNTAX.check(text.getBytes(StandardCharsets.UTF_8)).opened();
      return value instanceof JsonObject object ? Optional.of(of(object)) : Optional.empty();
    } catch (MalformedJsonException e) {
      return Optional.empty();
    }
  }

  private static PreservedFields of(JsonObject object) {
    PreservedFields preserved = new PreservedFields();
    for (int i = 0; i < object.size(); i++) {
      preserved.entries.put(object.keyAt(i), object.valueAt(i));
    }
    return preserved;
  }

  /** Compares the status that came with the one that the derived entries were kept beside. */
  void compareStatus(JsonObject root) {
    String digest = entries.get(STATUS_DIGEST) instanceof JsonSlice slice ? slice.text() : null;
    statusUnchanged = digest != null && digest.equals(StatusDigest.of(root));
  }

  boolean statusUnchanged() {
    return statusUnchanged;
  }

  @Nullable Json entry(String name) {
    return entries.get(name);
  }

  /** The names of all entries but the two that are about the annotation itself. */
  Set<String> names() {
    Set<String> names = new LinkedHashSet<>(entries.keySet());
    names.remove(ANNOTATIONS);
    names.remove(STATUS_DIGEST);
    return names;
  }

  void put(String name, String canonicalText, boolean isDerived) {
    texts.put(name, canonicalText);
    if (isDerived) {
      derived.add(name);
    }
  }

  /** Whether nothing is noted; what annotations were is only worth noting beside something else. */
  boolean isEmpty() {
    return texts.isEmpty() || (texts.size() == 1 && texts.containsKey(ANNOTATIONS));
  }

  /** Whether all that is noted is status that controllers rebuild. */
  boolean isOnlyDerived() {
    return derived.containsAll(texts.keySet());
  }

  /** Completes what was noted with the digest that derived entries need. */
  void seal(JsonObject root) {
    if (!derived.isEmpty()) {
      texts.put(STATUS_DIGEST, Canonical.text(JsonSlice.text(StatusDigest.of(root))));
    }
  }

  /** The annotation's value: one object, members sorted, no blanks. */
  String text() {
    StringBuilder text = new StringBuilder("{");
    texts.keySet().stream()
        .sorted()
        .forEach(
            name ->
                text.append(text.length() == 1 ? "" : ",")
                    .append(Canonical.text(JsonSlice.text(name)))
                    .append(':')
                    .append(texts.get(name)));
    return text.append('}').toString();
  }

  /**
   * Leaves entries out until the text has at most this many bytes: derived ones first, then the
   * largest.
   *
   * @return what was left out; if entries that are not derived are among it, information was lost
   */
  List<String> shrinkTo(long bytes) {
    List<String> dropped = new ArrayList<>();
    if (!derived.isEmpty() && length() > bytes) {
      dropped.addAll(derived);
      texts.keySet().removeAll(derived);
      texts.remove(STATUS_DIGEST);
    }
    while (!isEmpty() && length() > bytes) {
      String largest =
          texts.keySet().stream()
              .filter(name -> !name.equals(ANNOTATIONS))
              .min(Comparator.comparing(this::value, BIGGEST_FIRST).thenComparing(name -> name))
              .orElseThrow();
      dropped.add(largest);
      texts.remove(largest);
    }
    return dropped;
  }

  boolean isDerived(String name) {
    return derived.contains(name);
  }

  private String value(String name) {
    return texts.getOrDefault(name, "");
  }

  private long length() {
    return text().getBytes(StandardCharsets.UTF_8).length;
  }
}
