package dev.sluice.bench.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.certs.ServingCertificate;
import dev.sluice.certs.SwitchingKeyManager;
import dev.sluice.webhook.server.ListenAddress;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.KeyCertOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * What anybody writes first: a Vert.x server that parses each review into Jackson's tree, asks
 * nothing, and allows the object. No bounds, no meters, no rules.
 */
final class BareServer implements AutoCloseable {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final Vertx vertx;

  private BareServer(Vertx vertx) {
    this.vertx = vertx;
  }

  static BareServer start(ListenAddress address, ServingCertificate certificate) {
    int processors = Math.max(2, Runtime.getRuntime().availableProcessors());
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(processors));
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(address.host())
            .setPort(address.port())
            .setSsl(true)
            .setUseAlpn(true)
            .setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1))
            .setKeyCertOptions(KeyCertOptions.wrap(new SwitchingKeyManager(certificate)));
    try {
      vertx
          .deployVerticle(() -> new Loop(options), new DeploymentOptions().setInstances(processors))
          .await();
    } catch (Exception e) { // checked ones, too
      vertx.close();
      throw e;
    }
    return new BareServer(vertx);
  }

  /** One server on one event loop. */
  private static final class Loop extends VerticleBase {
    private final HttpServerOptions options;

    private Loop(HttpServerOptions options) {
      this.options = options;
    }

    @Override
    public Future<?> start() {
      return vertx.createHttpServer(options).requestHandler(Loop::answer).listen();
    }

    private static void answer(HttpServerRequest request) {
      request
          .body()
          .map(Loop::allow)
          .onSuccess(
              answer ->
                  request.response().putHeader("content-type", "application/json").end(answer));
    }

    private static Buffer allow(Buffer body) {
      try {
        JsonNode review = MAPPER.readTree(body.getBytes());
        ObjectNode answer = MAPPER.createObjectNode();
        answer.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        ObjectNode response = answer.putObject("response");
        response.set("uid", review.path("request").path("uid"));
        response.put("allowed", true);
        return Buffer.buffer(MAPPER.writeValueAsBytes(answer));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() {
    vertx.close(); // not awaited: with its loops gone nobody would tell us
  }
}
