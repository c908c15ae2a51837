package dev.sluice.cli.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** Lists of objects, page by page. */
public final class Pages {
  /** Objects of one page, where nothing else is wanted. */
  public static final int SIZE = 500;

  /** More pages than a cluster can have objects for. */
  private static final int MOST = 10_000;

  private Pages() {}

  /**
   * Hands on each object of a list.
   *
   * @param send asks for a path
   * @param path of the list, without a query
   * @param query further parameters, each with {@code &} before it; empty for none
   * @param size the most objects of a page
   * @return the answer that ended it, if one was no success
   * @throws ClusterException if the list has no end
   */
  public static Optional<Answer> each(
      Function<String, Answer> send, String path, String query, int size, Consumer<JsonNode> each) {
    String next = "";
    for (int pages = 0; pages < MOST; pages++) {
      Answer answer =
          send.apply(
              "%s?limit=%d%s%s"
                  .formatted(
                      path,
                      size,
                      query,
                      next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, UTF_8)));
      if (!answer.isSuccess()) {
        return Optional.of(answer);
      }
      JsonNode page = answer.json();
      page.path("items").forEach(each);
      next = page.at("/metadata/continue").asText("");
      if (next.isEmpty()) {
        return Optional.empty();
      }
    }
    throw new ClusterException(
        ClusterException.Reason.UNEXPECTED, path + ": a list without an end");
  }
}
