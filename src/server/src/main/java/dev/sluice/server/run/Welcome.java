package dev.sluice.server.run;

import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.review.ConversionRequest;
import dev.sluice.json.Canonical;
import dev.sluice.json.yaml.ManifestReader;
import dev.sluice.manifests.Manifests;
import dev.sluice.manifests.Sample;
import dev.sluice.webhook.WebhookServer;
import java.io.PrintWriter;
import java.nio.file.Path;

/** The message printed once the server is ready: its kinds, and a command to try. */
final class Welcome {
  private final WebhookServer server;
  private final Path caBundle;

  Welcome(WebhookServer server, Path caBundle) {
    this.server = server;
    this.caBundle = caBundle;
  }

  void print(PrintWriter out, long startNanos) {
    String reviews = "https://localhost:" + server.httpsPort();
    String plain = "http://localhost:" + server.httpPort();
    out.printf("Sluice is ready after %.1f s. Stop it with Ctrl-C.%n%n", startNanos / 1e9);
    server.paths().forEach(path -> out.println("  " + reviews + path));
    out.printf("  %s/healthz  /readyz  /metrics%n", plain);
    out.printf("  clients trust %s%n%n", caBundle);
    out.println("Convert a Topology of v1alpha1 to v1beta2:");
    out.println();
    out.println(curl(reviews));
    out.println();
    out.flush();
  }

  private String curl(String reviews) {
    return "curl -sS --cacert %s -H 'Content-Type: application/json' %s/convert -d %s"
        .formatted(quoted(caBundle.toString()), reviews, quoted(review()));
  }

  /** A review of the sample that ships with the manifests. */
  private static String review() {
    String topology =
        Canonical.text(ManifestReader.parse(new Manifests().sample(Sample.TOPOLOGY_V1ALPHA1)));
    return """
    {"apiVersion":"%s","kind":"%s","request":{"uid":"1","desiredAPIVersion":"%s","objects":[%s]}}\
    """
        .formatted(
            ConversionRequest.API_VERSION,
            ConversionRequest.KIND,
            ApiVersion.HUB.groupVersion(),
            topology);
  }

  /** Text as one word of a POSIX shell. */
  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
