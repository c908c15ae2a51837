package dev.sluice.webhook.server;

import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.Deadline;
import dev.sluice.webhook.endpoint.Endpoint;
import dev.sluice.webhook.endpoint.Probe;
import java.util.List;

/** Answers {@code /echo} with the body of the request, on a worker. */
class EchoEndpoint implements Endpoint {
  @Override
  public String path() {
    return "/echo";
  }

  @Override
  public Probe probe() {
    return new Probe("", "");
  }

  @Override
  public boolean mayWait() {
    return true;
  }

  @Override
  public Answer answer(byte[] body, Deadline deadline) {
    return Answer.review(List.of(body));
  }
}
