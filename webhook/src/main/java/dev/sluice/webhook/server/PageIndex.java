package dev.sluice.webhook.server;

import dev.sluice.webhook.endpoint.Answer;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which page of a plain port a request is about, and who may see it. Immutable. */
final class PageIndex {
  private static final Set<String> METHODS = Set.of("GET", "HEAD");

  private final Map<String, Page> pages = new LinkedHashMap<>();

  /** What to do about a request. */
  sealed interface Choice {
    /** Show this page. */
    record Show(Page page) implements Choice {}

    /** Say this instead. */
    record Refuse(Answer answer) implements Choice {}
  }

  PageIndex(List<Page> pages) {
    for (Page page : pages) {
      if (this.pages.put(page.path(), page) != null) {
        throw new IllegalArgumentException("pages: two of " + page.path() + " (expected: one)");
      }
    }
  }

  /**
   * The choice for a request.
   *
   * @param path as it came, without its query; null if it could not be read
   * @param peer the address of the other side of the connection, null where it is not known
   */
  Choice choose(String method, @Nullable String path, @Nullable String peer) {
    if (path != null && Page.isLocal(path) && !isLoopback(peer)) {
      return refuse(403, "/debug is for callers on this machine (expected: a loopback address)");
    }
    Page page = path == null ? null : pages.get(path);
    if (page == null) {
      return refuse(
          404, "no such path (expected: one of " + String.join(", ", pages.keySet()) + ")");
    }
    if (!METHODS.contains(method)) {
      return refuse(405, "method not allowed (expected: GET or HEAD)");
    }
    return new Choice.Show(page);
  }

  private static Choice refuse(int status, String sentence) {
    return new Choice.Refuse(Answer.sentence(status, sentence));
  }

  private static boolean isLoopback(@Nullable String peer) {
    try {
      return peer != null && InetAddress.ofLiteral(peer).isLoopbackAddress();
    } catch (IllegalArgumentException _) {
      return false; // not an address that we know
    }
  }
}
