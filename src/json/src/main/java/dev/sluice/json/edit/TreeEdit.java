package dev.sluice.json.edit;

import dev.sluice.json.Canonical;
import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.JsonSlice;
import dev.sluice.json.edit.SourceNode.Alias;
import dev.sluice.json.edit.SourceNode.Mapping;
import dev.sluice.json.edit.SourceNode.Member;
import dev.sluice.json.edit.SourceNode.Scalar;
import dev.sluice.json.edit.SourceNode.Sequence;
import java.util.BitSet;

/**
 * Finds the changes of a text that turn one tree into another. Members are matched by key; a
 * removed and a new member at the same place count as renamed if their values are similar. The
 * result is an attempt: the caller parses the new text and compares, since anchors and merge keys
 * can change its meaning.
 */
final class TreeEdit {
  private final SourceText source;
  private final boolean json;
  private final TextEdits edits = new TextEdits();

  private TreeEdit(SourceText source, boolean json) {
    this.source = source;
    this.json = json;
  }

  /**
   * What to change in the text.
   *
   * @param root where the document stands
   * @param json whether the text is JSON
   * @throws NotEditableException if it cannot be changed part by part
   */
  static TextEdits between(SourceText source, boolean json, SourceNode root, Json from, Json to) {
    TreeEdit edit = new TreeEdit(source, json);
    if (!edit.change(root, from, to, true)) {
      throw new NotEditableException("the whole document is another");
    }
    return edit.edits;
  }

  /** Changes parts of the value; false if it has to be written again as a whole. */
  private boolean change(SourceNode node, Json from, Json to, boolean root) {
    if (Canonical.equal(from, to) || node instanceof Alias) {
      return true; // what an alias says is changed where its anchor stands, if at all
    }
    return switch (from.opened()) {
      case JsonObject object
          when node instanceof Mapping mapping && to.opened() instanceof JsonObject target ->
          changeMembers(mapping, object, target, root);
      case JsonArray array
          when node instanceof Sequence list && to.opened() instanceof JsonArray target ->
          changeItems(list, array, target, root);
      case JsonSlice _
          when node instanceof Scalar scalar && to.opened() instanceof JsonSlice target ->
          changeScalar(scalar, target);
      default -> false;
    };
  }

  private boolean changeScalar(Scalar scalar, JsonSlice to) {
    if (scalar.start() == scalar.end()) {
      return false;
    }
    String old = source.between(scalar.start(), scalar.end());
    String text = json ? to.spelling() : ScalarText.instead(old, to);
    edits.replace(scalar.start(), scalar.end(), text);
    return true;
  }

  private boolean changeMembers(Mapping mapping, JsonObject from, JsonObject to, boolean root) {
    MemberMatch match = MemberMatch.of(from, to);
    if (mapping.members().isEmpty() || match.pairs().isEmpty()) {
      return false;
    }
    CollectionEdit edit =
        mapping.flow()
            ? FlowEdit.of(source, edits, json, mapping)
            : BlockEdit.of(source, edits, mapping, root);
    BitSet removed = new BitSet();
    match.removed().forEach(key -> removed.set(index(mapping, key)));
    edit.remove(removed);
    for (MemberMatch.Pair pair : match.pairs()) {
      changeMember(edit, mapping, from, to, pair);
    }
    for (MemberMatch.Added added : match.added()) {
      int after = added.after() == null ? -1 : index(mapping, added.after());
      edit.insertMember(after, added.key(), value(to, added.key()));
    }
    return true;
  }

  private void changeMember(
      CollectionEdit edit, Mapping mapping, JsonObject from, JsonObject to, MemberMatch.Pair pair) {
    Json old = value(from, pair.from());
    Json now = value(to, pair.to());
    boolean renamed = !pair.from().equals(pair.to());
    if (!renamed && Canonical.equal(old, now)) {
      return; // it may come from a merge key and not stand here at all
    }
    int index = index(mapping, pair.from());
    Member member = mapping.members().get(index);
    if (!change(member.value(), old, now, false)) {
      edit.replaceMember(index, pair.to(), now);
    } else if (renamed) {
      String key = source.between(member.start(), member.keyEnd());
      edits.replace(member.start(), member.keyEnd(), ScalarText.instead(key, pair.to()));
    }
  }

  private static Json value(JsonObject object, String key) {
    Json value = object.get(key);
    if (value == null) {
      throw new IllegalStateException(key + " (expected: a member)");
    }
    return value;
  }

  private static int index(Mapping mapping, String key) {
    int index = mapping.indexOf(key);
    if (index < 0) {
      throw new NotEditableException("a member that does not stand here: " + key);
    }
    return index;
  }

  private boolean changeItems(Sequence list, JsonArray from, JsonArray to, boolean root) {
    if (from.size() == 0 || to.size() == 0 || list.items().size() != from.size()) {
      return false;
    }
    int start = equalAtStart(from, to);
    int end = equalAtEnd(from, to, start);
    int pairs = Math.min(from.size(), to.size()) - start - end;
    if (pairs == 0 && start + end == 0) {
      return false;
    }
    CollectionEdit edit =
        list.flow()
            ? FlowEdit.of(source, edits, json, list)
            : BlockEdit.of(source, edits, list, root);
    BitSet removed = new BitSet();
    removed.set(start + pairs, from.size() - end);
    edit.remove(removed);
    for (int i = start; i < start + pairs; i++) {
      if (!change(list.items().get(i), from.get(i), to.get(i), false)) {
        edit.replaceItem(i, to.get(i));
      }
    }
    for (int i = start + pairs; i < to.size() - end; i++) {
      edit.insertItem(start + pairs - 1, to.get(i));
    }
    return true;
  }

  private static int equalAtStart(JsonArray a, JsonArray b) {
    int most = Math.min(a.size(), b.size());
    int count = 0;
    while (count < most && Canonical.equal(a.get(count), b.get(count))) {
      count++;
    }
    return count;
  }

  private static int equalAtEnd(JsonArray a, JsonArray b, int start) {
    int most = Math.min(a.size(), b.size()) - start;
    int count = 0;
    while (count < most
        && Canonical.equal(a.get(a.size() - 1 - count), b.get(b.size() - 1 - count))) {
      count++;
    }
    return count;
  }
}
