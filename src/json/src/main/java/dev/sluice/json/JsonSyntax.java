package dev.sluice.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The door for JSON from outside: it lets through one well-formed value in UTF-8 within bounds,
 * without a key that stands twice in one object. Everything behind it relies on that.
 *
 * <p>Thread-safe.
 */
public final class JsonSyntax {
  private static final int DECODED_AT_ONCE = 8 << 10;
  private static final int MESSAGE_LENGTH = 160;
  private static final String TWICE = "Duplicate field '"; // what the parser says of a key

  private static final long NOT_ASCII = 0x8080808080808080L;
  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final JsonLimits limits;
  private final JsonFactory factory;

  /** A door with these bounds. */
  public JsonSyntax(JsonLimits limits) {
    this.limits = limits;
    this.factory = parsers(limits).build();
  }

  private static JsonFactoryBuilder parsers(JsonLimits limits) {
    return new JsonFactoryBuilder()
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(limits.maxDepth())
                .maxStringLength(limits.maxTextLength())
                .maxNameLength(limits.maxTextLength())
                .maxNumberLength(limits.maxNumberLength())
                .maxDocumentLength(-1)
                .build())
        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
        .disable(JsonFactory.Feature.CHARSET_DETECTION)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES);
  }

  /**
   * Checks that the bytes hold one JSON value and nothing else.
   *
   * @return the value; it shares the bytes, which must not change afterwards
   * @throws MalformedJsonException if they do not, or if a bound is passed
   */
  public JsonSlice check(byte[] json) throws MalformedJsonException {
    checkUtf8(json);
    JsonSlice certain = FastCheck.certain(json, limits);
    return certain != null ? certain : parse(json);
  }

  /**
   * As {@link #check} does, by the parser alone: it knows all of JSON, and what to say of faults.
   */
  JsonSlice parse(byte[] json) throws MalformedJsonException {
    List<JsonSlice> values = new ArrayList<>(1);
    if (read(json, 1, parser -> values.add(readSlice(parser, json))) == 0) {
      throw new MalformedJsonException("the text is empty (expected: one JSON value)", false);
    }
    return values.getFirst();
  }

  /**
   * Checks that the bytes hold JSON values one after the other, with or without blanks between
   * them.
   *
   * @return the values, perhaps none; they share the bytes, which must not change afterwards
   * @throws MalformedJsonException if there is anything else, or if a bound is passed
   */
  public List<JsonSlice> checkSequence(byte[] json) throws MalformedJsonException {
    List<JsonSlice> values = new ArrayList<>();
    read(json, Integer.MAX_VALUE, parser -> values.add(readSlice(parser, json)));
    return values;
  }

  /** Reads the value whose first token is the parser's current one, to its end. */
  private interface ValueReader {
    void read(JsonParser parser) throws IOException, MalformedJsonException;
  }

  private int read(byte[] json, int most, ValueReader reader) throws MalformedJsonException {
    checkUtf8(json);
    int values = 0;
    try (JsonParser parser = factory.createParser(json)) {
      while (parser.nextToken() != null) {
        if (values == most) {
          throw new MalformedJsonException(
              "more text after the value at byte %d (expected: one JSON value)"
                  .formatted(parser.currentTokenLocation().getByteOffset()),
              false);
        }
        reader.read(parser);
        values++;
      }
      return values;
    } catch (StreamConstraintsException e) {
      throw new MalformedJsonException(describe(e), true);
    } catch (JsonProcessingException e) {
      throw new MalformedJsonException(describe(e), false);
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory failed", e);
    }
  }

  private JsonSlice readSlice(JsonParser parser, byte[] json)
      throws IOException, MalformedJsonException {
    int start = offset(parser);
    CheckedText.Indexer index = CheckedText.Indexer.of(json.length, limits);
    boolean isStructure = parser.currentToken().isStructStart();
    walk(parser, index);
    return isStructure
        ? new JsonSlice(index.text(json), start, offset(parser) + 1, 0)
        : new JsonSlice( // the parser may have looked beyond a number by now
            index.text(json), start, Scanner.skipValue(json, start), CheckedText.UNKNOWN);
  }

  private void walk(JsonParser parser, CheckedText.Indexer index)
      throws IOException, MalformedJsonException {
    int depth = 0;
    OpenMembers members = new OpenMembers();
    for (JsonToken token = parser.currentToken(); token != null; token = parser.nextToken()) {
      if (token.isStructStart()) {
        checkRoom(parser, index);
        index.begin();
        members.begin();
        depth++;
      } else if (token.isStructEnd()) {
        index.end(offset(parser) + 1);
        members.end();
        depth--;
      } else {
        if (token == JsonToken.FIELD_NAME) {
          members.add(parser);
        }
        finish(parser, token);
      }
      if (depth == 0) {
        return;
      }
    }
    throw new MalformedJsonException("the text ends within a value", false);
  }

  private void checkRoom(JsonParser parser, CheckedText.Indexer index)
      throws MalformedJsonException {
    if (index.isFull()) {
      throw new MalformedJsonException(
          "more than %d objects and lists at byte %d"
              .formatted(limits.maxStructures(), parser.currentTokenLocation().getByteOffset()),
          true);
    }
  }

  /** Counts the members of the objects that are open: the parser remembers all of their keys. */
  private static final class OpenMembers {
    private int[] before = new int[32];
    private int depth;
    private int members;

    void begin() {
      if (depth == before.length) {
        before = Arrays.copyOf(before, depth * 2);
      }
      before[depth++] = members;
    }

    void end() {
      members = before[--depth];
    }

    void add(JsonParser parser) throws MalformedJsonException {
      if (++members > JsonLimits.MOST_OPEN_MEMBERS) {
        throw new MalformedJsonException(
            "more than %d members in one object and those around it at byte %d"
                .formatted(
                    JsonLimits.MOST_OPEN_MEMBERS, parser.currentTokenLocation().getByteOffset()),
            true);
      }
    }
  }

  private static int offset(JsonParser parser) {
    return Math.toIntExact(parser.currentTokenLocation().getByteOffset());
  }

  /** Makes the parser look at all of a key or scalar, which it otherwise puts off. */
  private void finish(JsonParser parser, JsonToken token)
      throws IOException, MalformedJsonException {
    parser.finishToken();
    checkLength(parser, token);
  }

  /** Holds scalars and keys against their bounds; the parser itself does so by whole blocks. */
  private void checkLength(JsonParser parser, JsonToken token)
      throws IOException, MalformedJsonException {
    boolean number = token.isNumeric();
    int bound = number ? limits.maxNumberLength() : limits.maxTextLength();
    if (parser.getTextLength() > bound) {
      throw new MalformedJsonException(
          "%s of more than %d characters at byte %d"
              .formatted(
                  number ? "a number" : "a string",
                  bound,
                  parser.currentTokenLocation().getByteOffset()),
          true);
    }
  }

  private static void checkUtf8(byte[] json) throws MalformedJsonException {
    int ascii = skipAscii(json);
    if (ascii < json.length) {
      decode(json, ascii);
    }
  }

  /** The index of the first byte that is no ASCII, or of the end. */
  private static int skipAscii(byte[] json) {
    int i = 0;
    while (i <= json.length - Long.BYTES && ((long) EIGHT_BYTES.get(json, i) & NOT_ASCII) == 0) {
      i += Long.BYTES;
    }
    while (i < json.length && json[i] >= 0) {
      i++;
    }
    return i;
  }

  private static void decode(byte[] json, int from) throws MalformedJsonException {
    CharsetDecoder decoder =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(json, from, json.length - from);
    CharBuffer out = CharBuffer.allocate(Math.clamp(json.length - from, 16, DECODED_AT_ONCE));
    CoderResult result;
    do {
      out.clear();
      result = decoder.decode(in, out, true);
    } while (result.isOverflow());
    if (result.isError()) {
      throw new MalformedJsonException("no UTF-8 at byte " + in.position(), false);
    }
  }

  private static String describe(JsonProcessingException e) {
    String message = said(e.getOriginalMessage());
    StringBuilder plain = new StringBuilder(MESSAGE_LENGTH);
    for (int i = 0; i < message.length() && plain.length() < MESSAGE_LENGTH; i++) {
      char c = message.charAt(i);
      plain.append(c < ' ' || c > '~' ? ' ' : c);
    }
    var location = e.getLocation();
    return location == null ? plain.toString() : plain + " at byte " + location.getByteOffset();
  }

  /** The parser's message, but for the one that is no fault of JSON itself. */
  private static String said(String message) {
    return message.startsWith(TWICE) && message.endsWith("'")
        ? "the key \"%s\" stands twice"
            .formatted(message.substring(TWICE.length(), message.length() - 1))
        : message;
  }
}
