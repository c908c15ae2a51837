package dev.sluice.see.history;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Who preempted a Workload, as the messages of its conditions say. */
public final class Preemptors {
  /** As the condition names the Workload for which another one was preempted. */
  private static final Pattern PREEMPTOR = Pattern.compile("\\(UID: ([^,\\s)]{1,64})");

  private Preemptors() {}

  /** The uid of the preemptor in the message of a condition; empty for none. */
  public static String uid(String message) {
    Matcher matcher = PREEMPTOR.matcher(message);
    return matcher.find() ? matcher.group(1) : "";
  }
}
