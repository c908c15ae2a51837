package dev.sluice.json.edit;

import dev.sluice.json.edit.SourceNode.Alias;
import dev.sluice.json.edit.SourceNode.Mapping;
import dev.sluice.json.edit.SourceNode.Member;
import dev.sluice.json.edit.SourceNode.Scalar;
import dev.sluice.json.edit.SourceNode.Sequence;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingEndEvent;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceEndEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Finds where the values of YAML stand that was read before. The marks of block collections say
 * where the next token begins, far behind the last value; so their ends are taken from what they
 * hold.
 */
final class YamlSource {
  private static final Resolver RESOLVER = new Resolver();

  private final SourceText source;
  private final CodePoints places;
  private final Iterator<Event> events;

  private YamlSource(String text) {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE);
    this.source = new SourceText(text);
    this.places = CodePoints.of(text);
    this.events = new Yaml(options).parse(new StringReader(text)).iterator();
  }

  /** The roots of the documents, without those that are null. */
  static List<SourceNode> read(String text) {
    return new YamlSource(text).roots();
  }

  private List<SourceNode> roots() {
    List<SourceNode> roots = new ArrayList<>();
    while (events.hasNext()) {
      if (events.next() instanceof DocumentStartEvent) {
        Event root = events.next();
        SourceNode node = node(root);
        if (!isNull(root)) {
          roots.add(node);
        }
      }
    }
    return roots;
  }

  private static boolean isNull(Event root) {
    if (!(root instanceof ScalarEvent scalar)) {
      return false;
    }
    Tag tag =
        scalar.getTag() != null
            ? new Tag(scalar.getTag())
            : RESOLVER.resolve(
                NodeId.scalar, scalar.getValue(), scalar.getImplicit().canOmitTagInPlainScalar());
    return tag.equals(Tag.NULL);
  }

  private SourceNode node(Event event) {
    return switch (event) {
      case ScalarEvent scalar -> scalar(scalar);
      case MappingStartEvent mapping -> mapping(mapping);
      case SequenceStartEvent sequence -> sequence(sequence);
      default -> new Alias(start(event), end(event));
    };
  }

  private SourceNode mapping(MappingStartEvent begin) {
    List<Member> members = new ArrayList<>();
    Event event = events.next();
    while (!(event instanceof MappingEndEvent)) {
      String key = event instanceof ScalarEvent scalar ? scalar.getValue() : "";
      SourceNode keyNode = node(event);
      members.add(new Member(key, keyNode.start(), keyNode.end(), node(events.next())));
      event = events.next();
    }
    int end = begin.isFlow() || members.isEmpty() ? end(event) : members.getLast().end();
    return new Mapping(start(begin), end, begin.isFlow(), members);
  }

  private SourceNode sequence(SequenceStartEvent begin) {
    List<SourceNode> items = new ArrayList<>();
    Event event = events.next();
    while (!(event instanceof SequenceEndEvent)) {
      items.add(node(event));
      event = events.next();
    }
    int end = begin.isFlow() || items.isEmpty() ? end(event) : items.getLast().end();
    return new Sequence(start(begin), end, begin.isFlow(), items);
  }

  private SourceNode scalar(ScalarEvent scalar) {
    ScalarStyle style = scalar.getScalarStyle();
    boolean block = style == ScalarStyle.LITERAL || style == ScalarStyle.FOLDED;
    int start = start(scalar);
    return new Scalar(start, block ? blockEnd(start, end(scalar)) : end(scalar));
  }

  /**
   * The end of the last line of a block scalar. Blank lines behind it belong to it only if its head
   * says so with a plus sign.
   */
  private int blockEnd(int start, int mark) {
    String text = source.text();
    boolean keeps = source.between(start, source.lineEnd(start)).contains("+");
    int end =
        source.column(mark) == source.indentation(source.lineStart(mark)) && mark < text.length()
            ? source.lineStart(mark)
            : mark;
    int last = end;
    while (last > start && Character.isWhitespace(text.charAt(last - 1))) {
      last--;
    }
    int lineEnd = source.lineEnd(last);
    return keeps ? Math.max(lineEnd, withoutNewline(end)) : Math.min(lineEnd, end);
  }

  private int withoutNewline(int end) {
    String text = source.text();
    int newline = end > 0 && text.charAt(end - 1) == '\n' ? end - 1 : end;
    return newline > 0 && text.charAt(newline - 1) == '\r' ? newline - 1 : newline;
  }

  private int start(Event event) {
    return index(event.getStartMark());
  }

  private int end(Event event) {
    return index(event.getEndMark());
  }

  private int index(Mark mark) {
    return places.index(mark.getIndex());
  }

  /** Turns indices of code points, which the parser counts, into indices of characters. */
  private static final class CodePoints {
    private final int[] indices;

    private CodePoints(int[] indices) {
      this.indices = indices;
    }

    static CodePoints of(String text) {
      int count = text.codePointCount(0, text.length());
      if (count == text.length()) {
        return new CodePoints(new int[0]);
      }
      int[] indices = new int[count + 1];
      int index = 0;
      for (int i = 0; i < count; i++) {
        indices[i] = index;
        index += Character.charCount(text.codePointAt(index));
      }
      indices[count] = index;
      return new CodePoints(indices);
    }

    int index(int codePoint) {
      return indices.length == 0 ? codePoint : indices[codePoint];
    }
  }
}
