package dev.sluice.server.see;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Who asks, as an API server or we ourselves have authenticated. */
record Caller(String user, String uid, List<String> groups, Map<String, List<String>> extra) {
  /** For a caller of whom nothing else is known. */
  static final Map<String, List<String>> NO_EXTRA = Map.of();

  private static final String AUTHENTICATED = "system:authenticated";
  private static final String ANONYMOUS = "system:anonymous";

  Caller {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }

  /**
   * A known user, who is in the group of all that are known: the API server itself asks for
   * discovery without naming any group.
   */
  static Caller of(String user, String uid, List<String> groups, Map<String, List<String>> extra) {
    List<String> all = new ArrayList<>(groups);
    if (!user.equals(ANONYMOUS) && !all.contains(AUTHENTICATED)) {
      all.add(AUTHENTICATED);
    }
    return new Caller(user, uid, all, new TreeMap<>(extra));
  }
}
