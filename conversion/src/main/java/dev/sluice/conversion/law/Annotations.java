package dev.sluice.conversion.law;

import dev.sluice.api.ApiVersion;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.json.Json;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Our annotations on an object: takes them off before a step, and puts one on after it. */
final class Annotations {
  /** The bytes that all annotations of an object may have together, keys included. */
  static final int ROOM = 256 << 10;

  private static final String PREFIX = Domains.CONVERSION_FROM;

  private Annotations() {}

  static String key(ApiVersion version) {
    return PREFIX + version.text();
  }

  /**
   * Takes off what was kept for the target, and an old note of the source, which says nothing now.
   */
  static Notes take(JsonObject root, ApiVersion source, ApiVersion target, Remarks remarks) {
    JsonObject metadata = root.object("metadata");
    JsonObject annotations = metadata == null ? null : metadata.object("annotations");
    if (metadata == null || annotations == null) {
      return new Notes();
    }
    Json stale = annotations.remove(key(source));
    Json kept = annotations.remove(key(target));
    Notes notes = read(kept, target, remarks);
    Json unfilled = unfilled(notes, remarks);
    if (annotations.size() == 0 && (stale != null || kept != null)) {
      restore(metadata, unfilled);
    }
    return notes;
  }

  private static Notes read(@Nullable Json kept, ApiVersion target, Remarks remarks) {
    if (kept == null) {
      return new Notes();
    }
    return Notes.read(kept)
        .orElseGet(
            () -> {
              remarks.add(
                  new Remark(
                      Remark.Reason.NOTE_IGNORED,
                      "metadata.annotations[" + key(target) + "]",
                      "its text is no JSON object"));
              return new Notes();
            });
  }

  /** What annotations were before ours came, if that was an empty object or null. */
  private static @Nullable Json unfilled(Notes notes, Remarks remarks) {
    Json original = notes.entry(Notes.ANNOTATIONS);
    if (original == null || isUnfilled(original)) {
      return original;
    }
    remarks.add(
        new Remark(
            Remark.Reason.NOTE_IGNORED,
            "metadata.annotations",
            "entry " + Notes.ANNOTATIONS + " is neither {} nor null"));
    return null;
  }

  private static void restore(JsonObject metadata, @Nullable Json original) {
    if (original != null) {
      metadata.put("annotations", original);
    } else {
      metadata.remove("annotations");
    }
  }

  /** Puts the notes on the object as the annotation of the source; says what found no room. */
  static void put(JsonObject root, ApiVersion source, Exchange exchange) {
    Notes notes = exchange.noted();
    if (notes.isEmpty()) {
      return;
    }
    JsonObject metadata = root.object("metadata");
    Json before = metadata == null ? null : metadata.open("annotations");
    if (metadata == null
        || (before != null && !isUnfilled(before) && !(before instanceof JsonObject))) {
      notUsable(exchange, metadata == null ? "metadata" : "metadata.annotations");
      return;
    }
    notes.seal(root);
    if (before != null && isUnfilled(before)) {
      notes.put(Notes.ANNOTATIONS, before.type() == Json.Type.NULL ? "null" : "{}", false);
    }
    JsonObject annotations = before instanceof JsonObject object ? object : new JsonObject();
    String key = key(source);
    reportDropped(notes.shrinkTo(ROOM - used(annotations) - key.length()), notes, exchange);
    if (notes.isEmpty()) {
      return;
    }
    annotations.putSorted(key, JsonSlice.text(notes.text()));
    metadata.putSorted("annotations", annotations);
  }

  private static void notUsable(Exchange exchange, String field) {
    String detail = "is not an object, so what the other version cannot say is lost";
    exchange.remark(new Remark(Remark.Reason.NOTE_DROPPED, field, detail));
    if (exchange.mode() == Mode.FAIL && !exchange.noted().isOnlyDerived()) {
      exchange.refuse(field, detail);
    }
  }

  private static void reportDropped(List<String> dropped, Notes notes, Exchange exchange) {
    for (String name : dropped) {
      String detail =
          "no room for " + name + " (all annotations together may have " + ROOM + " bytes)";
      exchange.remark(new Remark(Remark.Reason.NOTE_DROPPED, "metadata.annotations", detail));
      if (exchange.mode() == Mode.FAIL && !notes.isDerived(name)) {
        exchange.refuse("metadata.annotations", detail);
      }
    }
  }

  private static long used(JsonObject annotations) {
    long bytes = 0;
    for (int i = 0; i < annotations.size(); i++) {
      bytes += annotations.keyAt(i).getBytes(StandardCharsets.UTF_8).length;
      String value = annotations.valueAt(i) instanceof JsonSlice slice ? slice.text() : null;
      bytes += value == null ? 0 : value.getBytes(StandardCharsets.UTF_8).length;
    }
    return bytes;
  }

  private static boolean isUnfilled(Json annotations) {
    return annotations.type() == Json.Type.NULL || annotations.isEmptyObject();
  }

  /** Where remarks go before there is an exchange. */
  @FunctionalInterface
  interface Remarks {
    void add(Remark remark);
  }
}
