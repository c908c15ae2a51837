package dev.sluice.api.cel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The functions of texts. Places in a text are counted in code points. */
final class Texts {
  /** Characters that one step of a budget is for. */
  static final int STEP = 64;

  /** Where functions are added. */
  @FunctionalInterface
  interface Registry {
    void put(String name, int operands, Function function);
  }

  private Texts() {}

  static void register(Registry all) {
    all.put(".contains", 2, counted((it, _) -> text(it, 0).contains(text(it, 1))));
    all.put(".startsWith", 2, counted((it, _) -> text(it, 0).startsWith(text(it, 1))));
    all.put(".endsWith", 2, counted((it, _) -> text(it, 0).endsWith(text(it, 1))));
    all.put(".lowerAscii", 1, counted((it, _) -> ascii(text(it, 0), false)));
    all.put(".upperAscii", 1, counted((it, _) -> ascii(text(it, 0), true)));
    all.put(".trim", 1, counted((it, _) -> text(it, 0).strip()));
    all.put(".charAt", 2, counted((it, _) -> charAt(text(it, 0), whole(it, 1))));
    all.put(".indexOf", 2, counted((it, _) -> indexOf(text(it, 0), text(it, 1), 0)));
    all.put(".indexOf", 3, counted((it, _) -> indexOf(text(it, 0), text(it, 1), whole(it, 2))));
    all.put(".lastIndexOf", 2, counted((it, _) -> lastIndexOf(text(it, 0), text(it, 1))));
    all.put(".substring", 2, counted((it, _) -> from(text(it, 0), whole(it, 1))));
    all.put(".substring", 3, counted((it, _) -> between(text(it, 0), whole(it, 1), whole(it, 2))));
    all.put(".replace", 3, counted((it, budget) -> replaced(it, -1, budget)));
    all.put(".replace", 4, counted((it, budget) -> replaced(it, whole(it, 3), budget)));
    all.put(".split", 2, counted((it, budget) -> split(it, -1, budget)));
    all.put(".split", 3, counted((it, budget) -> split(it, whole(it, 2), budget)));
    all.put(".join", 1, (it, budget) -> joined(it.getFirst(), "", budget));
    all.put(".join", 2, (it, budget) -> joined(it.getFirst(), text(it, 1), budget));
  }

  private static Function counted(Function function) {
    return (operands, budget) -> {
      for (Object operand : operands) {
        if (operand instanceof String text) {
          budget.takeFor(text);
        }
      }
      return function.apply(operands, budget);
    };
  }

  static String text(List<Object> operands, int index) {
    if (operands.get(index) instanceof String text) {
      return text;
    }
    throw new CelException("%s is no string".formatted(Values.type(operands.get(index))));
  }

  private static int whole(List<Object> operands, int index) {
    if (operands.get(index) instanceof Long number) {
      return Math.clamp(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }
    throw new CelException("%s is no int".formatted(Values.type(operands.get(index))));
  }

  private static String ascii(String text, boolean upper) {
    var changed = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      String one = text.substring(i, i + 1);
      boolean isAscii = one.charAt(0) < 128;
      changed.append(
          !isAscii ? one : upper ? one.toUpperCase(Locale.ROOT) : one.toLowerCase(Locale.ROOT));
    }
    return changed.toString();
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  /** The place in characters of one in code points. */
  private static int at(String text, int place) {
    if (place < 0 || place > length(text)) {
      throw new CelException("%d is outside of '%s'".formatted(place, text));
    }
    return text.offsetByCodePoints(0, place);
  }

  private static String charAt(String text, int place) {
    int start = at(text, place);
    return start == text.length() ? "" : text.substring(start, text.offsetByCodePoints(start, 1));
  }

  private static String from(String text, int start) {
    return text.substring(at(text, start));
  }

  private static String between(String text, int start, int end) {
    if (start > end) {
      throw new CelException("%d is after %d".formatted(start, end));
    }
    return text.substring(at(text, start), at(text, end));
  }

  private static Long indexOf(String text, String part, int start) {
    int found = text.indexOf(part, at(text, start));
    return found < 0 ? -1L : (long) text.codePointCount(0, found);
  }

  private static Long lastIndexOf(String text, String part) {
    int found = text.lastIndexOf(part);
    return found < 0 ? -1L : (long) text.codePointCount(0, found);
  }

  /** The first so many of a part replaced, all if it is negative. */
  private static String replaced(List<Object> operands, int most, CelBudget budget) {
    String text = text(operands, 0);
    String part = text(operands, 1);
    String by = text(operands, 2);
    var changed = new StringBuilder();
    int from = 0;
    int done = 0;
    for (int found = text.indexOf(part);
        found >= 0 && done != most && found <= text.length();
        found = next(text, part, found)) {
      budget.take(1);
      budget.takeFor(by);
      changed.append(text, from, found).append(by);
      from = found + part.length();
      done++;
    }
    return changed.append(text.substring(from)).toString();
  }

  /** After an empty part comes the one after the next character. */
  private static int next(String text, String part, int found) {
    if (!part.isEmpty()) {
      return text.indexOf(part, found + part.length());
    }
    return found == text.length() ? -1 : text.offsetByCodePoints(found, 1);
  }

  private static List<String> split(List<Object> operands, int most, CelBudget budget) {
    String text = text(operands, 0);
    String separator = text(operands, 1);
    budget.take(1L + text.length());
    if (most == 0) {
      return List.of();
    }
    if (separator.isEmpty()) {
      return characters(text, most);
    }
    return List.of(text.split(Pattern.quote(separator), most < 0 ? -1 : most));
  }

  private static List<String> characters(String text, int most) {
    List<String> characters = new ArrayList<>();
    int start = 0;
    while (start < text.length() && characters.size() + 1 != most) {
      int end = text.offsetByCodePoints(start, 1);
      characters.add(text.substring(start, end));
      start = end;
    }
    if (start < text.length()) {
      characters.add(text.substring(start));
    }
    return characters;
  }

  private static String joined(Object list, String separator, CelBudget budget) {
    if (!(list instanceof List<?> items)) {
      throw new CelException("%s is no list".formatted(Values.type(list)));
    }
    List<String> texts = new ArrayList<>();
    for (Object item : items) {
      budget.take(1);
      budget.takeFor(separator);
      texts.add(text(List.of(item), 0));
      budget.takeFor(texts.getLast());
    }
    return String.join(separator, texts);
  }
}
