package dev.sluice.webhook.server;

import dev.sluice.webhook.endpoint.Answer;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import java.util.Iterator;
import java.util.function.IntConsumer;

/** Sends one answer to one request, at most once. Belongs to the request's event loop. */
final class Reply {
  private final HttpServerRequest request;
  private final IntConsumer sent;
  private boolean done;

  /**
   * A reply to this request.
   *
   * @param sent told the status once the answer is on its way
   */
  Reply(HttpServerRequest request, IntConsumer sent) {
    this.request = request;
    this.sent = sent;
  }

  boolean done() {
    return done;
  }

  /** Sends the answer. */
  Future<Void> send(Answer answer) {
    if (done) {
      return Future.succeededFuture();
    }
    done = true;
    HttpServerResponse response = request.response();
    if (response.ended() || response.closed()) {
      return Future.succeededFuture(); // the caller is gone
    }
    response
        .setStatusCode(answer.status())
        .putHeader("content-type", answer.contentType())
        .putHeader("content-length", Long.toString(answer.length()));
    if (answer.status() == 429 || answer.status() == 503) {
      response.putHeader("retry-after", "1");
    }
    sent.accept(answer.status());
    return write(response, answer);
  }

  /**
   * Sends the answer although the body has not arrived, and sees to it that nobody has to read the
   * rest: the connection (HTTP/1) or the stream (HTTP/2) ends with the answer.
   */
  void withoutBody(Answer answer) {
    if (done) {
      return;
    }
    boolean http2 = request.version() == HttpVersion.HTTP_2;
    boolean bodyIsHere = request.isEnded();
    if (!http2 && !bodyIsHere) {
      request.response().putHeader("connection", "close");
    }
    request.handler(_ -> {}); // what still comes is thrown away until the end takes effect
    request.resume();
    Future<Void> written = send(answer);
    if (!bodyIsHere) {
      written.onComplete(_ -> endInput(http2));
    }
  }

  private void endInput(boolean http2) {
    if (http2) {
      request.response().reset(0); // NO_ERROR: the answer is whole, only the body is not wanted
    }
  }

  private static Future<Void> write(HttpServerResponse response, Answer answer) {
    Iterator<byte[]> segments = answer.segments().iterator();
    while (segments.hasNext()) {
      Buffer buffer = Buffer.buffer(segments.next());
      if (!segments.hasNext()) {
        return response.end(buffer);
      }
      response.write(buffer);
    }
    return response.end();
  }
}
