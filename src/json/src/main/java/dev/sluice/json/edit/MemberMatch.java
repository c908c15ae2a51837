package dev.sluice.json.edit;

import dev.sluice.json.Canonical;
import dev.sluice.json.Json;
import dev.sluice.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Which members of one object are which of another.
 *
 * @param pairs members that stay, perhaps under another key
 * @param removed keys that are gone
 * @param added members that are new
 */
record MemberMatch(List<Pair> pairs, List<String> removed, List<Added> added) {
  /** A member that stays: its key before and after. */
  record Pair(String from, String to) {}

  /**
   * A new member.
   *
   * @param after the key, before the change, of the member that it stands behind; null if it is the
   *     first
   */
  record Added(String key, @Nullable String after) {}

  /** Matches members by their keys, and those that are left by place and value. */
  static MemberMatch of(JsonObject from, JsonObject to) {
    return new Matcher(from, to).match();
  }

  /** Walks along both objects at once; members that both have are the fixed points. */
  private static final class Matcher {
    private final JsonObject from;
    private final JsonObject to;
    private final List<String> fromKeys;
    private final List<String> toKeys;
    private final List<Pair> pairs = new ArrayList<>();
    private final List<String> removed = new ArrayList<>();
    private final List<Added> added = new ArrayList<>();
    private @Nullable String last;

    Matcher(JsonObject from, JsonObject to) {
      this.from = from;
      this.to = to;
      this.fromKeys = keys(from);
      this.toKeys = keys(to);
    }

    MemberMatch match() {
      Set<String> before = new HashSet<>(fromKeys);
      Set<String> after = new HashSet<>(toKeys);
      int i = 0;
      int j = 0;
      while (i < fromKeys.size() || j < toKeys.size()) {
        int gone = i;
        while (i < fromKeys.size() && !after.contains(fromKeys.get(i))) {
          i++;
        }
        int come = j;
        while (j < toKeys.size() && !before.contains(toKeys.get(j))) {
          j++;
        }
        between(fromKeys.subList(gone, i), toKeys.subList(come, j));
        if (i < fromKeys.size()) {
          last = fromKeys.get(i++);
          pairs.add(new Pair(last, last));
        }
        j++;
      }
      return new MemberMatch(pairs, removed, added);
    }

    /** Matches what is gone and what has come between two fixed points. */
    private void between(List<String> gone, List<String> come) {
      int next = 0;
      for (String key : come) {
        int renamed = indexOfAlike(gone, next, to.get(key));
        if (renamed < 0) {
          added.add(new Added(key, last));
          continue;
        }
        removed.addAll(gone.subList(next, renamed));
        last = gone.get(renamed);
        pairs.add(new Pair(last, key));
        next = renamed + 1;
      }
      removed.addAll(gone.subList(next, gone.size()));
    }

    /** The same value is the better sign; after that, one of the same structure. */
    private int indexOfAlike(List<String> gone, int start, @Nullable Json value) {
      int same = indexOf(gone, start, value, Canonical::equal);
      return same >= 0 ? same : indexOf(gone, start, value, Matcher::alike);
    }

    private int indexOf(
        List<String> gone, int start, @Nullable Json value, BiPredicate<Json, Json> test) {
      for (int i = start; i < gone.size(); i++) {
        Json old = from.get(gone.get(i));
        if (old != null && value != null && test.test(old, value)) {
          return i;
        }
      }
      return -1;
    }

    private static boolean alike(Json a, Json b) {
      return a.type() == b.type() && (a.type() == Json.Type.OBJECT || a.type() == Json.Type.ARRAY);
    }

    private static List<String> keys(JsonObject object) {
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < object.size(); i++) {
        keys.add(object.keyAt(i));
      }
      return keys;
    }
  }
}
