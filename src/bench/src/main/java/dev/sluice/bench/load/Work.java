package dev.sluice.bench.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sluice.json.JsonSyntax;
import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.ConversionEndpoint;
import dev.sluice.webhook.endpoint.ConversionMeters;
import dev.sluice.webhook.endpoint.Deadline;
import dev.sluice.webhook.server.Bounds;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.ToLongFunction;

/** Work on the bytes of a review; it gives the length of what comes out. */
public final class Work {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Work() {}

  /** Parses the review into Jackson's tree and writes that. */
  public static ToLongFunction<byte[]> jackson() {
    return body -> {
      try {
        return MAPPER.writeValueAsBytes(MAPPER.readTree(body)).length;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    };
  }

  /** Answers the review as Sluice's endpoint does, measuring and logging included. */
  public static ToLongFunction<byte[]> sluice() {
    Bounds bounds = Bounds.DEFAULT;
    ConversionMeters meters =
        new ConversionMeters(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    ConversionEndpoint endpoint =
        new ConversionEndpoint(
            new JsonSyntax(bounds.json()), bounds.maxAnswerBytes(), meters, System::nanoTime);
    return body -> {
      Answer answer =
          endpoint.answer(body, Deadline.after(bounds.requestTimeout(), System::nanoTime));
      return answer.status() == 200 ? answer.length() : 0;
    };
  }
}
