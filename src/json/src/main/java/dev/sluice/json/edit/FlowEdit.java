package dev.sluice.json.edit;

import dev.sluice.json.Json;
import dev.sluice.json.edit.SourceNode.Mapping;
import dev.sluice.json.edit.SourceNode.Member;
import dev.sluice.json.edit.SourceNode.Sequence;
import java.util.BitSet;
import java.util.List;

/**
 * Changes one collection that stands in braces or brackets and is not empty: all of JSON, and some
 * of YAML.
 */
final class FlowEdit implements CollectionEdit {
  private final SourceText source;
  private final TextEdits edits;
  private final List<Span> spans;
  private final FlowText style;

  private record Span(int start, int end) {}

  private FlowEdit(SourceText source, TextEdits edits, List<Span> spans, FlowText style) {
    this.source = source;
    this.edits = edits;
    this.spans = spans;
    this.style = style;
  }

  static FlowEdit of(SourceText source, TextEdits edits, boolean json, Mapping mapping) {
    List<Span> spans =
        mapping.members().stream().map(member -> new Span(member.start(), member.end())).toList();
    Member first = mapping.members().getFirst();
    boolean quoted = json || source.text().charAt(first.start()) == '"';
    boolean tight = json && first.value().start() == first.keyEnd() + 1;
    return new FlowEdit(source, edits, spans, style(source, mapping.start(), spans, quoted, tight));
  }

  static FlowEdit of(SourceText source, TextEdits edits, boolean json, Sequence sequence) {
    List<Span> spans =
        sequence.items().stream().map(item -> new Span(item.start(), item.end())).toList();
    boolean tight =
        json && sequence.start() > 0 && source.text().charAt(sequence.start() - 1) != ' ';
    return new FlowEdit(source, edits, spans, style(source, sequence.start(), spans, json, tight));
  }

  private static FlowText style(
      SourceText source, int open, List<Span> spans, boolean quoted, boolean tight) {
    String comma = tight ? "," : ", ";
    if (spans.size() > 1) {
      String between = source.between(spans.get(0).end(), spans.get(1).start());
      comma = between.matches(", ?") ? between : comma;
    }
    boolean lines = source.lineStart(open) != source.lineStart(spans.getFirst().start());
    String outer = source.lead(open);
    String inner = lines ? source.lead(spans.getFirst().start()) : "";
    return new FlowText(
        quoted,
        tight ? ":" : ": ",
        comma,
        lines ? source.newline(open) : "",
        inner.startsWith(outer) ? inner.substring(outer.length()) : "");
  }

  @Override
  public void remove(BitSet indices) {
    int firstKept = indices.nextClearBit(0);
    for (int i = indices.nextSetBit(0); i >= 0; i = indices.nextSetBit(i + 1)) {
      Span span = spans.get(i);
      if (i < firstKept || commentBefore(i)) {
        edits.delete(span.start(), i + 1 < spans.size() ? spans.get(i + 1).start() : span.end());
      } else {
        edits.delete(spans.get(i - 1).end(), span.end());
      }
    }
  }

  /** Whether a comment of the member before stands between it and this one. */
  private boolean commentBefore(int index) {
    return source.between(spans.get(index - 1).end(), spans.get(index).start()).contains("#");
  }

  @Override
  public void replaceMember(int index, String key, Json value) {
    Span span = spans.get(index);
    edits.replace(span.start(), span.end(), style.write(key, value, indentation()));
  }

  @Override
  public void replaceItem(int index, Json value) {
    Span span = spans.get(index);
    edits.replace(span.start(), span.end(), style.write(value, indentation()));
  }

  @Override
  public void insertMember(int after, String key, Json value) {
    insert(after, style.write(key, value, indentation()));
  }

  @Override
  public void insertItem(int after, Json value) {
    insert(after, style.write(value, indentation()));
  }

  private void insert(int after, String text) {
    String separator =
        style.newline().isEmpty() ? style.comma() : "," + style.newline() + indentation();
    if (after < 0) {
      edits.insert(spans.getFirst().start(), text + separator);
    } else {
      edits.insert(spans.get(after).end(), separator + text);
    }
  }

  /** The blanks before the values, if each has a line of its own. */
  private String indentation() {
    return style.newline().isEmpty() ? "" : source.lead(spans.getFirst().start());
  }
}
