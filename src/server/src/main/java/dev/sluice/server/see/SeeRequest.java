package dev.sluice.server.see;

import dev.sluice.server.reply.Reply;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A request.
 *
 * @param path as it was sent
 * @param query the first value of each parameter
 * @param headers each name in lower case
 * @param chain the client certificate with those that signed it; empty for none
 * @param body empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // read once
record SeeRequest(
    String method,
    String path,
    Map<String, String> query,
    Map<String, List<String>> headers,
    List<X509Certificate> chain,
    byte[] body) {
  SeeRequest {
    query = Map.copyOf(query);
    headers = Map.copyOf(headers);
    chain = List.copyOf(chain);
  }

  /** All values of that header, joined as one; empty for none. */
  String header(String name) {
    return String.join(",", headers.getOrDefault(name, List.of()));
  }

  /** Whether the client has an answer with that ETag. */
  boolean knows(String tag) {
    return Arrays.stream(header("if-none-match").split(",", -1))
        .map(String::strip)
        .anyMatch(it -> it.equals(tag) || it.equals("W/" + tag));
  }

  /** That answer, or 304 if the client has it. */
  Reply unlessKnown(Reply answer) {
    String tag = answer.tag();
    return tag != null && knows(tag) ? Reply.unchanged(tag) : answer;
  }
}
