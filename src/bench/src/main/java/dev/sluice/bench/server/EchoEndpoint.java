package dev.sluice.bench.server;

import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.ConversionEndpoint;
import dev.sluice.webhook.endpoint.Deadline;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.endpoint.Probe;
import java.util.List;

/** Sends each body back as it came. */
final class EchoEndpoint implements Endpoint {
  @Override
  public String path() {
    return ConversionEndpoint.PATH;
  }

  @Override
  public Probe probe() {
    return new Probe("{\"uid\":\"" + Probe.UID + "\"}", "");
  }

  @Override
  public Answer answer(byte[] body, Deadline deadline) {
    return Answer.review(List.of(body));
  }
}
