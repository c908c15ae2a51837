package dev.sluice.webhook.endpoint;

/**
 * A conversion that the server asks itself for, on a path of its own, so that what is measured of
 * conversions stays that of callers.
 */
public final class SelfProbeEndpoint implements Endpoint {
  private final Endpoint conversion;

  /** Answers with that endpoint, whose meters must not be registered. */
  public SelfProbeEndpoint(Endpoint conversion) {
    this.conversion = conversion;
  }

  @Override
  public String path() {
    return "/self-probe";
  }

  @Override
  public Probe probe() {
    return conversion.probe();
  }

  @Override
  public Answer answer(byte[] body, Deadline deadline) {
    return conversion.answer(body, deadline);
  }
}
