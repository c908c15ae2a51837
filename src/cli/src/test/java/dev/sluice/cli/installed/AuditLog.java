package dev.sluice.cli.installed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What an API server notes of the requests of some users.
 *
 * @param log one JSON object a line; the last line may be in the making
 */
public record AuditLog(Path log) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String POLICY = "policy.yaml";

  /** A log in a new folder, where that policy is, too. It stays as long as this JVM. */
  public static AuditLog inNewFolder(String policy) {
    try {
      Path folder = Files.createTempDirectory("sluice-audit");
      Path written = Files.writeString(folder.resolve(POLICY), policy);
      AuditLog audit = new AuditLog(folder.resolve("audit.log"));
      List.of(folder, written, audit.log).forEach(it -> it.toFile().deleteOnExit());
      return audit;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The flags of the API server that writes the log. */
  public String[] flags() {
    return new String[] {
      "--audit-policy-file=" + log.resolveSibling(POLICY), "--audit-log-path=" + log
    };
  }

  /** The audit policy that logs the requests of these users only. */
  static String policy(List<String> users) {
    return """
    apiVersion: audit.k8s.io/v1
    kind: Policy
    omitStages: [RequestReceived]
    rules:
    - level: Metadata
      users: [%s]
    - level: None
    """
        .formatted(String.join(", ", users.stream().map(it -> '"' + it + '"').toList()));
  }

  /** The audit policy that logs what this user deletes, with the options of each deletion. */
  public static String policyOfDeletions(String user) {
    return """
    apiVersion: audit.k8s.io/v1
    kind: Policy
    omitStages: [RequestReceived]
    rules:
    - level: Request
      users: ["%s"]
      verbs: [delete, deletecollection]
    - level: None
    """
        .formatted(user);
  }

  /** The deletions that were asked for, each with its options in {@code requestObject}. */
  public List<JsonNode> deletions() {
    return requests().stream().filter(it -> it.path("verb").asText().startsWith("delete")).toList();
  }

  private List<JsonNode> requests() {
    try {
      String text = Files.exists(log) ? Files.readString(log) : "";
      List<JsonNode> requests = new ArrayList<>();
      for (String line : text.substring(0, text.lastIndexOf('\n') + 1).lines().toList()) {
        requests.add(JSON.readTree(line));
      }
      return requests;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a user asked for of which resource, whatever the answer was. */
  Set<Right> used(String user) {
    Set<Right> used = new TreeSet<>();
    for (JsonNode request : requests()) {
      JsonNode object = request.path("objectRef");
      if (object.has("resource") && request.at("/user/username").asText().equals(user)) {
        used.add(
            Right.to(
                request.path("verb").asText(),
                object.path("apiGroup").asText(),
                object.path("resource").asText(),
                object.path("subresource").asText()));
      }
    }
    return used;
  }

  /** A line for each request that was refused for want of a right, or was forbidden otherwise. */
  Set<String> refused() {
    Set<String> refused = new TreeSet<>();
    for (JsonNode request : requests()) {
      JsonNode status = request.path("responseStatus");
      if (status.path("code").asInt() == 403 || status.path("code").asInt() == 401) {
        refused.add(
            request.path("verb").asText()
                + " "
                + request.path("requestURI").asText()
                + ": "
                + status.path("message").asText());
      }
    }
    return refused;
  }
}
