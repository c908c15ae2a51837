package dev.sluice.conversion.kinds;

import dev.sluice.conversion.step.Shorthand;
import dev.sluice.conversion.step.Work;
import dev.sluice.json.Canonical;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonOutput;
import dev.sluice.json.JsonSlice;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notes how slices were cut and compressed instead of what is in them: {@code {"form":
 * [[domainCount, counts, level, ...], ...]}}, counts {@code "u"} or {@code "i"}, a level {@code
 * "u"} or {@code [prefix length, suffix length]}. It takes some twenty bytes a slice, where slices
 * can take as much as the whole object.
 */
final class FormShorthand implements Shorthand {
  private static final String FORM = "form";
  private static final String UNIVERSAL = "u";
  private static final String INDIVIDUAL = "i";

  @Override
  public boolean is(JsonObject noted) {
    return noted.size() == 1 && noted.array(FORM) != null;
  }

  @Override
  public @Nullable JsonObject shorten(JsonObject newer, JsonObject older, Work work) {
    JsonArray slices = newer.array("slices");
    JsonSlice form = slices == null ? null : form(slices);
    if (form == null) {
      return null;
    }
    JsonObject noted = new JsonObject();
    noted.put(FORM, form);
    JsonObject again = expand(noted, older, work);
    return again != null && Canonical.equal(again, newer) ? noted : null;
  }

  /** The form of the slices, as far as they have one; whether it is right shows when it is used. */
  private static @Nullable JsonSlice form(JsonArray slices) {
    JsonOutput out = new JsonOutput();
    String separator = "[";
    for (int i = 0; i < slices.size(); i++) {
      out.writeAscii(separator);
      if (!(slices.open(i) instanceof JsonObject slice) || !writeForm(slice, out)) {
        return null;
      }
      separator = ",";
    }
    out.writeAscii(slices.size() == 0 ? "[]" : "]");
    return out.toSlice();
  }

  private static boolean writeForm(JsonObject slice, JsonOutput out) {
    Json count = slice.get("domainCount");
    JsonObject podCounts = slice.object("podCounts");
    JsonArray values = slice.array("valuesPerLevel");
    if (count == null || podCounts == null || values == null) {
      return false;
    }
    out.writeAscii("[");
    count.writeTo(out);
    out.writeAscii(podCounts.has("universal") ? ",\"u\"" : ",\"i\"");
    for (int level = 0; level < values.size(); level++) {
      if (!(values.open(level) instanceof JsonObject object)) {
        return false;
      }
      JsonObject individual = object.object("individual");
      out.writeAscii(
          individual == null
              ? ",\"u\""
              : ",[" + length(individual, "prefix") + "," + length(individual, "suffix") + "]");
    }
    out.writeAscii("]");
    return true;
  }

  private static String length(JsonObject individual, String key) {
    String text = individual.text(key);
    return text == null ? "null" : Integer.toString(text.length());
  }

  @Override
  public @Nullable JsonObject expand(JsonObject noted, JsonObject older, Work work) {
    JsonArray forms = noted.array(FORM);
    if (forms == null) {
      return null;
    }
    try {
      return expand(forms, Domains.readList(older, work), older.get("levels"));
    } catch (Unreadable e) {
      return null;
    }
  }

  private static @Nullable JsonObject expand(
      JsonArray forms, Domains domains, @Nullable Json levels) throws Unreadable {
    JsonOutput out = new JsonOutput();
    out.writeAscii("[");
    int from = 0;
    for (int i = 0; i < forms.size(); i++) {
      JsonArray form = forms.open(i) instanceof JsonArray array ? array : new JsonArray();
      int to = from + (form.size() < 2 ? Integer.MIN_VALUE : length(form.get(0)));
      SliceForm parsed = to < from || to > domains.size() ? null : read(form);
      if (parsed == null || !parsed.fits(domains, from, to)) {
        return null;
      }
      out.writeAscii(i == 0 ? "" : ",");
      Slices.write(domains, from, to, parsed, out);
      from = to;
    }
    out.writeAscii("]");
    return from == domains.size() ? TopologyAssignment.of(levels, "slices", out.toSlice()) : null;
  }

  private static @Nullable SliceForm read(JsonArray form) throws Unreadable {
    List<SliceForm.Level> levels = new ArrayList<>();
    for (int i = 2; i < form.size(); i++) {
      SliceForm.Level level = level(form.open(i));
      if (level == null) {
        return null;
      }
      levels.add(level);
    }
    String counts = Domains.text(form.get(1), FORM);
    return counts.equals(UNIVERSAL) || counts.equals(INDIVIDUAL)
        ? new SliceForm(counts.equals(UNIVERSAL), levels)
        : null;
  }

  private static SliceForm.@Nullable Level level(Json level) throws Unreadable {
    if (level instanceof JsonArray lengths) {
      return lengths.size() == 2
          ? new SliceForm.Level(
              false, lengthOrAbsent(lengths.get(0)), lengthOrAbsent(lengths.get(1)))
          : null;
    }
    return Domains.text(level, FORM).equals(UNIVERSAL) ? SliceForm.Level.UNIVERSAL : null;
  }

  private static int lengthOrAbsent(Json value) throws Unreadable {
    return value.type() == Json.Type.NULL ? SliceForm.ABSENT : length(value);
  }

  private static int length(Json value) throws Unreadable {
    return Domains.size(value, Integer.MAX_VALUE, FORM);
  }
}
