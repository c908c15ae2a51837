package dev.sluice.json.edit;

/**
 * A text with its lines.
 *
 * @param text the text
 */
record SourceText(String text) {
  /** Where the line begins in which this character stands; a byte order mark is before it. */
  int lineStart(int at) {
    int start = text.lastIndexOf('\n', at - 1) + 1;
    return start == 0 && at > 0 && text.charAt(0) == '\ufeff' ? 1 : start;
  }

  /** Where the next line begins, or the end of the text. */
  int nextLine(int at) {
    int newline = text.indexOf('\n', at);
    return newline < 0 ? text.length() : newline + 1;
  }

  /** Where the line ends in which this character stands, without its line end. */
  int lineEnd(int at) {
    int newline = text.indexOf('\n', at);
    int end = newline < 0 ? text.length() : newline;
    return end > at && text.charAt(end - 1) == '\r' ? end - 1 : end;
  }

  /** How many characters stand before this one in its line. */
  int column(int at) {
    return at - lineStart(at);
  }

  /** Whether nothing but spaces stands before this character in its line. */
  boolean isFirstInLine(int at) {
    return indentation(lineStart(at)) == column(at);
  }

  /** The number of spaces at the beginning of the line that begins here. */
  int indentation(int lineStart) {
    int i = lineStart;
    while (i < text.length() && text.charAt(i) == ' ') {
      i++;
    }
    return i - lineStart;
  }

  /** The blanks at the beginning of the line in which this character stands. */
  String lead(int at) {
    int start = lineStart(at);
    int end = start;
    while (end < text.length() && (text.charAt(end) == ' ' || text.charAt(end) == '\t')) {
      end++;
    }
    return between(start, end);
  }

  /** Whether the line that begins here holds only a comment. */
  boolean isComment(int lineStart) {
    int first = lineStart + indentation(lineStart);
    return first < text.length() && text.charAt(first) == '#';
  }

  /** The line end that is used around here. */
  String newline(int at) {
    int newline = text.indexOf('\n', at);
    int used = newline >= 0 ? newline : text.lastIndexOf('\n', at);
    return used > 0 && text.charAt(used - 1) == '\r' ? "\r\n" : "\n";
  }

  /** The characters from the one place to before the other. */
  String between(int from, int to) {
    return text.substring(from, to);
  }
}
