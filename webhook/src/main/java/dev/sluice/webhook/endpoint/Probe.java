package dev.sluice.webhook.endpoint;

/**
 * A request whose answer shows that an endpoint works.
 *
 * @param body the request
 * @param expected what a good answer contains, beside the request's {@link #UID}
 */
public record Probe(String body, String expected) {
  /** The uid of every probe. */
  public static final String UID = "sluice-probe";

  /** Whether this is a good answer. */
  public boolean isAnsweredBy(int status, String answer) {
    return status == 200 && answer.contains("\"uid\":\"" + UID + '"') && answer.contains(expected);
  }
}
