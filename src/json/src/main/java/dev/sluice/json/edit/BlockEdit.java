package dev.sluice.json.edit;

import dev.sluice.json.Json;
import dev.sluice.json.JsonArray;
import dev.sluice.json.JsonObject;
import dev.sluice.json.edit.SourceNode.Mapping;
import dev.sluice.json.edit.SourceNode.Member;
import dev.sluice.json.edit.SourceNode.Sequence;
import dev.sluice.json.yaml.YamlWriter;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Changes one collection whose entries begin on lines of their own. An entry owns the lines it
 * stands on, the comments directly above it at its own indentation, and those below it that are
 * indented deeper. Only the first entry may share its line with what is around it, such as {@code -
 * name: a}.
 */
final class BlockEdit implements CollectionEdit {
  private static final Pattern COMMENT = Pattern.compile("[ \\t]*[:-]?[ \\t]*(#.*)");

  private final SourceText source;
  private final TextEdits edits;
  private final List<Entry> entries;
  private final boolean root;
  private final int column;

  /** An entry, from its key or dash to the end of its value. */
  private record Entry(int start, int headEnd, int end) {}

  private BlockEdit(SourceText source, TextEdits edits, List<Entry> entries, boolean root) {
    this.source = source;
    this.edits = edits;
    this.entries = entries;
    this.root = root;
    this.column = source.column(entries.getFirst().start());
    for (Entry entry : entries.subList(1, entries.size())) {
      if (!source.isFirstInLine(entry.start()) || source.column(entry.start()) != column) {
        throw new NotEditableException("entries that do not stand below each other");
      }
    }
  }

  static BlockEdit of(SourceText source, TextEdits edits, Mapping mapping, boolean root) {
    List<Entry> entries = new ArrayList<>();
    for (Member member : mapping.members()) {
      entries.add(new Entry(member.start(), member.keyEnd(), member.end()));
    }
    return new BlockEdit(source, edits, entries, root);
  }

  static BlockEdit of(SourceText source, TextEdits edits, Sequence sequence, boolean root) {
    List<Entry> entries = new ArrayList<>();
    for (SourceNode item : sequence.items()) {
      int dash = dashBefore(source, item.start());
      entries.add(new Entry(dash, dash, item.end()));
    }
    return new BlockEdit(source, edits, entries, root);
  }

  private static int dashBefore(SourceText source, int item) {
    int at = item - 1;
    while (at >= 0 && source.text().charAt(at) == ' ') {
      at--;
    }
    if (at < 0 || source.text().charAt(at) != '-') {
      throw new NotEditableException("an item that does not stand on the line of its dash");
    }
    return at;
  }

  @Override
  public void remove(BitSet indices) {
    int index = indices.nextSetBit(0);
    if (index == 0 && sharesItsLine()) {
      index = indices.nextClearBit(0);
      pullUp(index);
      index = indices.nextSetBit(index);
    }
    for (; index >= 0; index = indices.nextSetBit(index + 1)) {
      edits.delete(regionStart(index), regionEnd(index));
    }
  }

  private boolean sharesItsLine() {
    return !source.isFirstInLine(entries.getFirst().start());
  }

  /** Lets this entry take the place of all before it; its comments have to stay above it. */
  private void pullUp(int index) {
    int start = entries.getFirst().start();
    int next = entries.get(index).start();
    boolean hasComments = regionStart(index) < source.lineStart(next);
    edits.delete(start, hasComments ? source.lineEnd(regionEnd(index - 1) - 2) : next);
  }

  /** Where the entry's first line begins, or that of its own comments. */
  private int regionStart(int index) {
    int line = source.lineStart(entries.get(index).start());
    if (root && index == 0) {
      return line; // what stands above is about the whole document
    }
    while (line > 0) {
      int above = source.lineStart(line - 1);
      if (!source.isComment(above) || source.indentation(above) != column) {
        break;
      }
      line = above;
    }
    return line;
  }

  /** Where the line begins that no longer belongs to the entry. */
  private int regionEnd(int index) {
    int line = source.nextLine(entries.get(index).end());
    while (line < source.text().length()
        && source.isComment(line)
        && source.indentation(line) > column) {
      line = source.nextLine(line);
    }
    return line;
  }

  @Override
  public void replaceMember(int index, String key, Json value) {
    replace(index, member(key, value));
  }

  @Override
  public void replaceItem(int index, Json value) {
    replace(index, item(value));
  }

  /** A comment beside the entry stays on its first line. */
  private void replace(int index, Json entry) {
    Entry old = entries.get(index);
    String text = write(entry, old.start());
    int head = commentBehind(old.headEnd());
    int from = head < 0 ? old.end() : head;
    int comment = head < 0 ? commentBehind(old.end()) : head;
    if (comment < 0) {
      edits.replace(old.start(), old.end(), text);
      return;
    }
    int end = source.lineEnd(comment);
    int firstLine = text.indexOf(source.newline(old.start()));
    String first = firstLine < 0 ? text : text.substring(0, firstLine);
    edits.replace(
        old.start(),
        Math.max(old.end(), end),
        first + blanked(source.between(from, end)) + text.substring(first.length()));
  }

  private static String blanked(String comment) {
    return comment.startsWith("#") ? " " + comment : comment;
  }

  /** Where the comment begins that is all that stands behind this place in its line, or -1. */
  private int commentBehind(int place) {
    String rest = source.between(place, source.lineEnd(place));
    Matcher matcher = COMMENT.matcher(rest);
    return matcher.matches() ? place + matcher.start(1) : -1;
  }

  @Override
  public void insertMember(int after, String key, Json value) {
    insert(after, member(key, value));
  }

  @Override
  public void insertItem(int after, Json value) {
    insert(after, item(value));
  }

  private void insert(int after, Json entry) {
    int first = entries.getFirst().start();
    String newline = source.newline(first);
    String text = write(entry, first);
    String indentation = " ".repeat(column);
    if (after >= 0) {
      insertLine(regionEnd(after), indentation + text, newline);
    } else if (sharesItsLine()) {
      edits.insert(first, text + newline + indentation);
    } else {
      edits.insert(regionStart(0), indentation + text + newline);
    }
  }

  private void insertLine(int line, String text, String newline) {
    boolean open = line == source.text().length() && source.column(line) > 0;
    edits.insert(line, open ? newline + text : text + newline);
  }

  private static Json member(String key, Json value) {
    JsonObject member = new JsonObject();
    member.put(key, value);
    return member;
  }

  private static Json item(Json value) {
    JsonArray item = new JsonArray();
    item.add(value);
    return item;
  }

  /** The entry without a line end behind it; all lines but the first are indented. */
  private String write(Json entry, int place) {
    return indented(YamlWriter.write(entry).stripTrailing(), column, source.newline(place));
  }

  /** The text with all lines but the first indented. */
  static String indented(String text, int column, String newline) {
    return text.replaceAll("\n(?!\n)", newline + " ".repeat(column))
        .replaceAll("(?<!\r)\n", newline);
  }
}
