package dev.sluice.conversion.step;

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

  private Annotations() {}

  /**
   * Takes off what was kept for the target, and an old note of the source, which says nothing now.
   *
   * @param source the name of the annotation of the version that the object comes from
   * @param target the name of the annotation of the version that it goes to
   */
  static PreservedFields take(JsonObject root, String source, String target, Warnings warnings) {
    JsonObject metadata = root.object("metadata");
    JsonObject annotations = metadata == null ? null : metadata.object("annotations");
    if (metadata == null || annotations == null) {
      return new PreservedFields();
    }
    Json stale = annotations.remove(source);
    Json kept = annotations.remove(target);
    PreservedFields preserved = read(kept, target, warnings);
    Json unfilled = unfilled(preserved, warnings);
    if (annotations.size() == 0 && (stale != null || kept != null)) {
      restore(metadata, unfilled);
    }
    return preserved;
  }

  private static PreservedFields read(@Nullable Json kept, String target, Warnings warnings) {
    if (kept == null) {
      return new PreservedFields();
    }
    return PreservedFields.read(kept)
        .orElseGet(
            () -> {
              warnings.add(
                  new ConversionWarning(
                      ConversionWarning.Reason.NOTE_IGNORED,
                      "metadata.annotations[" + target + "]",
                      "its text is no JSON object"));
              return new PreservedFields();
            });
  }

  /** What annotations were before ours came, if that was an empty object or null. */
  private static @Nullable Json unfilled(PreservedFields preserved, Warnings warnings) {
    Json original = preserved.entry(PreservedFields.ANNOTATIONS);
    if (original == null || isUnfilled(original)) {
      return original;
    }
    warnings.add(
        new ConversionWarning(
            ConversionWarning.Reason.NOTE_IGNORED,
            "metadata.annotations",
            "entry " + PreservedFields.ANNOTATIONS + " is neither {} nor null"));
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
  static void put(JsonObject root, String source, ConversionContext context) {
    PreservedFields preserved = context.noted();
    if (preserved.isEmpty()) {
      return;
    }
    JsonObject metadata = root.object("metadata");
    Json before = metadata == null ? null : metadata.open("annotations");
    if (metadata == null
        || (before != null && !isUnfilled(before) && !(before instanceof JsonObject))) {
      notUsable(context, metadata == null ? "metadata" : "metadata.annotations");
      return;
    }
    preserved.seal(root);
    if (before != null && isUnfilled(before)) {
      preserved.put(
          PreservedFields.ANNOTATIONS, before.type() == Json.Type.NULL ? "null" : "{}", false);
    }
    JsonObject annotations = before instanceof JsonObject object ? object : new JsonObject();
    long room = ROOM - used(annotations) - source.length();
    reportDropped(preserved.shrinkTo(room), preserved, context);
    if (preserved.isEmpty()) {
      return;
    }
    annotations.putSorted(source, JsonSlice.text(preserved.text()));
    metadata.putSorted("annotations", annotations);
  }

  private static void notUsable(ConversionContext context, String field) {
    String detail = "is not an object, so what the other version cannot say is lost";
    context.warn(new ConversionWarning(ConversionWarning.Reason.NOTE_DROPPED, field, detail));
    if (context.mode() == Mode.FAIL && !context.noted().isOnlyDerived()) {
      context.refuse(field, detail);
    }
  }

  private static void reportDropped(
      List<String> dropped, PreservedFields preserved, ConversionContext context) {
    for (String name : dropped) {
      String detail =
          "no room for " + name + " (all annotations together may have " + ROOM + " bytes)";
      context.warn(
          new ConversionWarning(
              ConversionWarning.Reason.NOTE_DROPPED, "metadata.annotations", detail));
      if (context.mode() == Mode.FAIL && !preserved.isDerived(name)) {
        context.refuse("metadata.annotations", detail);
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

  /** Where warnings go before there is a context. */
  @FunctionalInterface
  interface Warnings {
    void add(ConversionWarning warning);
  }
}
