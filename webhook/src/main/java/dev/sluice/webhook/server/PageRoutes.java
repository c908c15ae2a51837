package dev.sluice.webhook.server;

import dev.sluice.webhook.endpoint.Answer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The routes of a plain port: exact paths, GET and HEAD only, {@code /debug/} for this machine. */
final class PageRoutes {
  private final BiConsumer<HttpServerRequest, Page> show;
  private final BiConsumer<HttpServerRequest, Answer> refuse;
  private final String paths;

  private PageRoutes(
      List<Page> pages,
      BiConsumer<HttpServerRequest, Page> show,
      BiConsumer<HttpServerRequest, Answer> refuse) {
    this.show = show;
    this.refuse = refuse;
    this.paths = pages.stream().map(Page::path).collect(Collectors.joining(", "));
  }

  /**
   * A router of these pages.
   *
   * @param show answers a request for a page, on the event loop
   * @param refuse answers any other request
   * @throws IllegalArgumentException if two pages have one path
   */
  static Router router(
      Vertx vertx,
      List<Page> pages,
      BiConsumer<HttpServerRequest, Page> show,
      BiConsumer<HttpServerRequest, Answer> refuse) {
    PageRoutes routes = new PageRoutes(pages, show, refuse);
    Router router = Router.router(vertx);
    router.route(Page.DEBUG + "*").handler(PageRoutes::admitLocal);
    Set<String> seen = new HashSet<>();
    for (Page page : pages) {
      if (!seen.add(page.path())) {
        throw new IllegalArgumentException("pages: two of " + page.path() + " (expected: one)");
      }
      router.get(page.path()).handler(context -> routes.show(context, page));
      router.head(page.path()).handler(context -> routes.show(context, page));
    }
    router.errorHandler(400, routes::noSuchPath); // the path cannot be read
    router.errorHandler(403, routes::notFromHere);
    router.errorHandler(404, routes::noSuchPath);
    router.errorHandler(405, routes::wrongMethod);
    router.errorHandler(500, routes::failed);
    return router;
  }

  private static void admitLocal(RoutingContext context) {
    SocketAddress peer = context.request().remoteAddress();
    if (isLoopback(peer == null ? null : peer.hostAddress())) {
      context.next();
    } else {
      context.fail(403);
    }
  }

  /** The router also matches a path that only means the same, such as one with a slash more. */
  private void show(RoutingContext context, Page page) {
    if (page.path().equals(context.request().path())) {
      show.accept(context.request(), page);
    } else {
      noSuchPath(context);
    }
  }

  private void noSuchPath(RoutingContext context) {
    refuse.accept(
        context.request(), Answer.sentence(404, "no such path (expected: one of " + paths + ")"));
  }

  private void notFromHere(RoutingContext context) {
    refuse.accept(
        context.request(),
        Answer.sentence(
            403, "/debug is for callers on this machine (expected: a loopback address)"));
  }

  private void wrongMethod(RoutingContext context) {
    context.response().putHeader("allow", "GET, HEAD");
    refuse.accept(
        context.request(), Answer.sentence(405, "method not allowed (expected: GET or HEAD)"));
  }

  private void failed(RoutingContext context) {
    LoopErrors.report(context);
    refuse.accept(context.request(), Answer.sentence(500, Answer.INTERNAL_ERROR));
  }

  /** Whether this address of a caller is one of this machine; null is an unknown address. */
  static boolean isLoopback(@Nullable String peer) {
    try {
      return peer != null && InetAddress.ofLiteral(peer).isLoopbackAddress();
    } catch (IllegalArgumentException _) {
      return false; // a path of a socket, or another kind of address
    }
  }
}
