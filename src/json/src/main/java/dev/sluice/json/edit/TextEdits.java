package dev.sluice.json.edit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Replacements of parts of a text, all named by their places in the text as it was. */
final class TextEdits {
  private final List<Edit> edits = new ArrayList<>();

  private record Edit(int start, int end, String replacement) {
    boolean isDeletion() {
      return replacement.isEmpty();
    }
  }

  void replace(int start, int end, String replacement) {
    if (start < end || !replacement.isEmpty()) {
      edits.add(new Edit(start, end, replacement));
    }
  }

  /** Inserts before the character at this place; what is inserted twice keeps its order. */
  void insert(int at, String text) {
    replace(at, at, text);
  }

  void delete(int start, int end) {
    replace(start, end, "");
  }

  void addAll(TextEdits others) {
    edits.addAll(others.edits);
  }

  /** The whole text with all replacements made. */
  String apply(String text) {
    return apply(text, 0, text.length());
  }

  /**
   * The part of the text with all replacements made.
   *
   * @throws NotEditableException if two replacements overlap, or one goes beyond the part
   */
  String apply(String text, int from, int to) {
    StringBuilder result = new StringBuilder(to - from);
    int at = from;
    boolean deleting = false;
    for (Edit edit : sorted()) {
      boolean both = deleting && edit.isDeletion();
      if ((edit.start() < at && !both) || edit.start() < from || edit.end() > to) {
        throw new NotEditableException("changes overlap at " + edit.start());
      }
      result.append(text, at, Math.max(at, edit.start())).append(edit.replacement());
      at = Math.max(at, edit.end());
      deleting = edit.isDeletion();
    }
    return result.append(text, at, to).toString();
  }

  /** By place; at one place insertions come first, since they stand before what is there. */
  private List<Edit> sorted() {
    List<Edit> sorted = new ArrayList<>(edits);
    sorted.sort(
        Comparator.comparingInt(Edit::start).thenComparing(edit -> edit.end() > edit.start()));
    return sorted;
  }
}
