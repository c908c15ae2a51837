package dev.sluice.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sluice.api.vocabulary.Domains;
import dev.sluice.api.vocabulary.ViewGroup;
import dev.sluice.cli.cluster.ApiServer.Call;
import dev.sluice.server.program.CommandException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Reads from the API of view.sluice.dev, through the API server of a cluster. */
public final class ViewServer {
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  private ViewServer() {}

  /**
   * The document at that path.
   *
   * @param path below the version of the API, encoded
   * @throws CommandException if there is no such document or server, or this user may not read it
   */
  public static JsonNode get(ApiServer cluster, String path) {
    Answer answer = cluster.send(Call.get(path(path), BOUND));
    if (answer.isSuccess()) {
      return answer.json();
    }
    if (answer.status() == NOT_FOUND && !isOfIt(answer)) {
      throw new CommandException(
          "%s serves no %s (expected: an installation with `sluice see`)"
              .formatted(cluster.base(), Domains.VIEW));
    }
    if (answer.status() == FORBIDDEN) {
      throw new CommandException(
          answer.message()
              + " (the roles of `sluice install` for batch users and admins have this right)");
    }
    throw new CommandException(answer.message());
  }

  /** The path of something of the API. */
  public static String path(String below) {
    return ViewGroup.ROOT + "/" + below;
  }

  /** Whether the server of the API gave that answer, and not an API server that knows no such. */
  public static boolean isOfIt(Answer answer) {
    return answer.message().contains(Domains.VIEW);
  }

  /** A name as a part of a path. */
  public static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }
}
