package dev.sluice.json.edit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.sluice.json.edit.SourceNode.Mapping;
import dev.sluice.json.edit.SourceNode.Member;
import dev.sluice.json.edit.SourceNode.Scalar;
import dev.sluice.json.edit.SourceNode.Sequence;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;

/** Finds where the values of JSON stand that was read before. */
final class JsonSource {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxDocumentLength(-1)
                  .build())
          .build();

  private final JsonParser parser;
  private final String text;

  private JsonSource(JsonParser parser, String text) {
    this.parser = parser;
    this.text = text;
  }

  static List<SourceNode> read(String text) {
    List<SourceNode> roots = new ArrayList<>();
    try (JsonParser parser = FACTORY.createParser(new StringReader(text))) {
      JsonSource source = new JsonSource(parser, text);
      while (parser.nextToken() != null) {
        roots.add(source.node());
      }
      return roots;
    } catch (IOException e) {
      throw new IllegalStateException("text that was JSON before is none", e);
    }
  }

  private SourceNode node() throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> mapping();
      case START_ARRAY -> sequence();
      case null, default -> scalar();
    };
  }

  private SourceNode mapping() throws IOException {
    int start = tokenStart();
    List<Member> members = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      int keyStart = tokenStart();
      int keyEnd = textEnd(keyStart);
      parser.nextToken();
      members.add(new Member(key, keyStart, keyEnd, node()));
    }
    return new Mapping(start, tokenStart() + 1, true, members);
  }

  private SourceNode sequence() throws IOException {
    int start = tokenStart();
    List<SourceNode> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(node());
    }
    return new Sequence(start, tokenStart() + 1, true, items);
  }

  private SourceNode scalar() throws IOException {
    int start = tokenStart();
    parser.finishToken();
    return new Scalar(start, text.charAt(start) == '"' ? textEnd(start) : literalEnd(start));
  }

  private int tokenStart() {
    return Math.toIntExact(parser.currentTokenLocation().getCharOffset());
  }

  private int textEnd(int start) {
    int i = start + 1;
    while (text.charAt(i) != '"') {
      i += text.charAt(i) == '\\' ? 2 : 1;
    }
    return i + 1;
  }

  private int literalEnd(int start) {
    int i = start;
    while (i < text.length() && " \t\r\n,]}".indexOf(text.charAt(i)) < 0) {
      i++;
    }
    return i;
  }
}
