package dev.sluice.cli.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A JSON object as text, with the places of its values. An edit copies bytes: no tree is made. The
 * edits are those that no schema allows but that JSON does: members that are gone, null, of another
 * type, empty, strange, or within a list. Immutable.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Template(byte[] text, List<Place> places) {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int MOST_EDITS = 4;
  private static final int WAYS = 9;

  /**
   * A value.
   *
   * @param root the key of the member of the root to which it belongs; empty for the root
   * @param whole where the item begins, with its key if it has one
   * @param start where the value begins
   * @param end behind the value
   * @param first where the first item within begins; the end of an empty list or object
   */
  private record Place(String root, int whole, int start, int end, int first, JsonToken type) {
    private boolean isContainer() {
      return type.isStructStart();
    }

    private boolean isEmpty() {
      return first == end - 1;
    }
  }

  /** These bytes are replaced by others. */
  private record Edit(int start, int end, byte[] with) {
    private boolean touches(Edit other) {
      return start <= other.end && other.start <= end;
    }
  }

  /**
   * The template of a text without white space between tokens.
   *
   * @throws IllegalArgumentException if it is no JSON
   */
  static Template of(byte[] text) {
    try (JsonParser parser = JSON.createParser(text)) {
      return new Template(text, places(parser));
    } catch (IOException e) {
      throw new IllegalArgumentException(new String(text, UTF_8), e);
    }
  }

  /** A list or object of which the end was not read yet. */
  private record Open(String root, int whole, int start, JsonToken type, int[] first) {}

  private static List<Place> places(JsonParser parser) throws IOException {
    List<Place> places = new ArrayList<>();
    Deque<Open> open = new ArrayDeque<>();
    String root = "";
    int key = -1;
    for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
      int start = (int) parser.currentTokenLocation().getByteOffset();
      if (token == JsonToken.FIELD_NAME) {
        key = start;
        root = open.size() == 1 ? parser.currentName() : root;
        continue;
      }
      int whole = key < 0 ? start : key;
      key = -1;
      if (token.isStructEnd()) {
        Open ended = open.pop();
        int end = start + 1;
        int first = ended.first()[0] < 0 ? start : ended.first()[0];
        places.add(new Place(ended.root(), ended.whole(), ended.start(), end, first, ended.type()));
        continue;
      }
      if (!open.isEmpty() && open.peek().first()[0] < 0) {
        open.peek().first()[0] = whole;
      }
      if (token.isStructStart()) {
        open.push(new Open(root, whole, start, token, new int[] {-1}));
      } else {
        parser.finishToken();
        int end = (int) parser.currentLocation().getByteOffset();
        places.add(new Place(root, whole, start, end, end, token));
      }
    }
    return List.copyOf(places);
  }

  /** The text with one to four edits, none of them in these members of the root. */
  byte[] edited(RandomGenerator random, Set<String> kept) {
    List<Edit> edits = new ArrayList<>(MOST_EDITS);
    for (int i = random.nextInt(MOST_EDITS); i >= 0; i--) {
      Place place = Review.pick(random, places);
      if (!kept.contains(place.root())) {
        Edit edit = place.end() == text.length ? strange(random, place) : edit(random, place);
        if (edits.stream().noneMatch(edit::touches)) {
          edits.add(edit);
        }
      }
    }
    return with(edits);
  }

  private Edit edit(RandomGenerator random, Place place) {
    return switch (random.nextInt(WAYS)) {
      case 0 -> removal(place);
      case 1 -> replaced(place, "null");
      case 2 -> replaced(place, otherType(random, place));
      case 3 -> replaced(place, Review.pick(random, List.of("{}", "[]", "\"\"")));
      case 4 -> replaced(place, Wild.number(random));
      case 5 -> replaced(place, Wild.text(random));
      case 6 -> replaced(place, Wild.value(random));
      default ->
          place.isContainer()
              ? strange(random, place)
              : replaced(place, "[" + spelling(place) + "]");
    };
  }

  /** With the comma behind it, or else the one before it. */
  private Edit removal(Place place) {
    boolean isFollowed = text[place.end()] == ',';
    boolean isPreceded = text[place.whole() - 1] == ',';
    int start = !isFollowed && isPreceded ? place.whole() - 1 : place.whole();
    return new Edit(start, isFollowed ? place.end() + 1 : place.end(), new byte[0]);
  }

  /** One more member or item, as the first or the last. */
  private Edit strange(RandomGenerator random, Place place) {
    String more = place.type() == JsonToken.START_OBJECT ? Wild.member(random) : Wild.value(random);
    if (place.isEmpty()) {
      return new Edit(place.first(), place.first(), more.getBytes(UTF_8));
    }
    return random.nextBoolean()
        ? new Edit(place.first(), place.first(), (more + ",").getBytes(UTF_8))
        : new Edit(place.end() - 1, place.end() - 1, ("," + more).getBytes(UTF_8));
  }

  private String otherType(RandomGenerator random, Place place) {
    return switch (place.type()) {
      case VALUE_NULL -> random.nextBoolean() ? "true" : "false";
      case VALUE_STRING -> Wild.number(random);
      case START_OBJECT -> "[" + spelling(place) + "]";
      case START_ARRAY -> place.isEmpty() ? "null" : "{\"0\":" + spelling(place) + "}";
      default -> "\"" + spelling(place) + "\"";
    };
  }

  private static Edit replaced(Place place, String with) {
    return new Edit(place.start(), place.end(), with.getBytes(UTF_8));
  }

  private String spelling(Place place) {
    return new String(text, place.start(), place.end() - place.start(), UTF_8);
  }

  private byte[] with(List<Edit> edits) {
    edits.sort(Comparator.comparingInt(Edit::start));
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length + 256);
    int at = 0;
    for (Edit edit : edits) {
      out.write(text, at, edit.start() - at);
      out.writeBytes(edit.with());
      at = edit.end();
    }
    out.write(text, at, text.length - at);
    return out.toByteArray();
  }
}
