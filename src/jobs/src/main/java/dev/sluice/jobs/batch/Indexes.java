package dev.sluice.jobs.batch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Indexes as the status of a Job has them: {@code 0-4,7}. */
final class Indexes {
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");

  private record Range(int first, int last) {}

  private Indexes() {}

  /** How many different indexes below the limit there are; what is no range counts as none. */
  static int count(List<String> texts, int limit) {
    List<Range> ranges = new ArrayList<>();
    for (String text : texts) {
      for (String part : text.split(",", -1)) {
        Matcher range = RANGE.matcher(part.strip());
        if (range.matches()) {
          int first = Integer.parseInt(range.group(1));
          int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
          ranges.add(new Range(first, Math.min(last, limit - 1)));
        }
      }
    }
    ranges.sort(Comparator.comparingInt(Range::first));
    int count = 0;
    int next = 0;
    for (Range range : ranges) {
      int first = Math.max(range.first(), next);
      if (range.last() >= first) {
        count += range.last() - first + 1;
        next = range.last() + 1;
      }
    }
    return count;
  }
}
