package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** An answer: an HTTP status and an object, which is a Status where it is no success. */
record Reply(int status, ObjectNode body) {
  static Reply ok(ObjectNode body) {
    return new Reply(200, body);
  }

  /** A refusal in the form of Kubernetes. */
  static Reply failure(int code, String reason, String message) {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    status.put("kind", "Status").put("apiVersion", "v1");
    status.putObject("metadata");
    status.put("status", "Failure").put("message", message);
    status.put("reason", reason).put("code", code);
    return new Reply(code, status);
  }
}
