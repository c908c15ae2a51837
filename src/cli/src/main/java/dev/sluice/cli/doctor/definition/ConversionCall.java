package dev.sluice.cli.doctor.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.ApiKind;
import dev.sluice.api.ApiVersion;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Asks a converter directly, as the API server would. */
final class ConversionCall {
  private static final String UID = "sluice-doctor";

  private final URI url;
  private final SSLContext trust;
  private final Duration bound;

  ConversionCall(URI url, SSLContext trust, Duration bound) {
    this.url = url;
    this.trust = trust;
    this.bound = bound;
  }

  /** Converts a sample of a kind; says what was wrong with the answer, if anything. */
  Optional<String> convert(ApiKind kind, ApiVersion from, ApiVersion to) {
    HttpRequest request =
        HttpRequest.newBuilder(url)
            .timeout(bound)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(review(kind, from, to)))
            .build();
    try (HttpClient http =
        HttpClient.newBuilder().sslContext(trust).connectTimeout(bound).build()) {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      return answer.statusCode() == 200
          ? complaint(new JsonMapper().readTree(answer.body()), to)
          : Optional.of("HTTP status " + answer.statusCode());
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
  }

  private static String review(ApiKind kind, ApiVersion from, ApiVersion to) {
    ObjectNode review = JsonNodeFactory.instance.objectNode();
    review.put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "ConversionReview");
    ObjectNode request = review.putObject("request");
    request.put("uid", UID).put("desiredAPIVersion", to.groupVersion());
    request.putArray("objects").add(ProbeObjects.of(kind, from));
    return review.toString();
  }

  private static Optional<String> complaint(JsonNode answer, ApiVersion to) {
    JsonNode response = answer.path("response");
    if (!response.path("uid").asText().equals(UID)) {
      return Optional.of("the answer has another uid than the request");
    }
    if (!response.at("/result/status").asText().equals("Success")) {
      return Optional.of(response.at("/result/message").asText("no success, and no reason"));
    }
    String version = response.at("/convertedObjects/0/apiVersion").asText();
    return version.equals(to.groupVersion())
        ? Optional.empty()
        : Optional.of("the answer is at '" + version + "'");
  }
}
