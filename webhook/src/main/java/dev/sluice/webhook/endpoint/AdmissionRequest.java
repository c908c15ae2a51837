package dev.sluice.webhook.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.conversion.review.BadReviewException;
import dev.sluice.conversion.review.ReviewEnvelope;
import dev.sluice.json.Json;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.MalformedJsonException;
import dev.sluice.rules.ReviewContext;
import dev.sluice.rules.RuleInput;
import org.jspecify.annotations.Nullable;

/**
 * The request of an AdmissionReview, read from its text.
 *
 * @param uid what the answer must repeat
 * @param kind what the object is
 * @param operation CREATE, UPDATE, DELETE or CONNECT
 * @param object the object to be stored; a missing node if the request has none
 * @param oldObject the stored object; a missing node if the request has none
 * @param about the namespace and name of the object, and the user
 */
record AdmissionRequest(
    String uid,
    GroupVersionKind kind,
    String operation,
    JsonNode object,
    JsonNode oldObject,
    RuleInput.Request about) {
  static final String API_VERSION = "admission.k8s.io/v1";
  static final String KIND = "AdmissionReview";

  private static final int LONGEST_NAME = 253;

  /**
   * Reads a review's text.
   *
   * @throws BadReviewException if it is no AdmissionReview that can be answered
   */
  static AdmissionRequest read(byte[] body, JsonSyntax syntax) throws BadReviewException {
    JsonNode review = requireObject(tree(body, syntax), "the body");
    ReviewEnvelope.require("kind", text(review, "kind"), KIND);
    ReviewEnvelope.require("apiVersion", text(review, "apiVersion"), API_VERSION);
    JsonNode request = requireObject(review.path("request"), "request");
    return new AdmissionRequest(
        ReviewEnvelope.requireUid(text(request, "uid")),
        kind(request.path("kind")),
        ReviewEnvelope.requireText("operation", text(request, "operation")),
        present(request, "object"),
        present(request, "oldObject"),
        about(request));
  }

  private static JsonNode tree(byte[] body, JsonSyntax syntax) throws BadReviewException {
    try {
      return ReviewTree.of(body, syntax);
    } catch (MalformedJsonException e) {
      throw ReviewEnvelope.unreadable(e);
    }
  }

  private static JsonNode requireObject(JsonNode value, String what) throws BadReviewException {
    if (!value.isObject()) {
      throw ReviewEnvelope.noObject(what, words(value));
    }
    return value;
  }

  private static String words(JsonNode value) {
    return switch (value.getNodeType()) {
      case ARRAY -> Json.Type.ARRAY.words();
      case STRING -> Json.Type.TEXT.words();
      case NUMBER -> Json.Type.NUMBER.words();
      case BOOLEAN -> Json.Type.BOOLEAN.words();
      case NULL -> Json.Type.NULL.words();
      default -> "missing";
    };
  }

  private static GroupVersionKind kind(JsonNode kind) throws BadReviewException {
    if (!kind.isObject()) {
      throw ReviewEnvelope.malformed(
          "request.kind: missing (expected: an object of group, version and kind)");
    }
    return new GroupVersionKind(part(kind, "group"), part(kind, "version"), part(kind, "kind"));
  }

  private static String part(JsonNode kind, String key) throws BadReviewException {
    String text = text(kind, key);
    if (text == null || text.length() > LONGEST_NAME) {
      throw ReviewEnvelope.malformed(
          "request.kind.%s: %s (expected: a string)"
              .formatted(key, text == null ? "missing" : "too long"));
    }
    return text;
  }

  /** The member; missing where it is null, as a DELETE has its object. */
  private static JsonNode present(JsonNode request, String key) {
    JsonNode value = request.path(key);
    return value.isNull() ? MissingNode.getInstance() : value;
  }

  private static RuleInput.Request about(JsonNode request) {
    return new RuleInput.Request(
        textOrEmpty(request, "namespace"),
        textOrEmpty(request, "subResource"),
        textOrEmpty(request.path("userInfo"), "username"),
        request.path("dryRun").asBoolean(),
        textOrEmpty(request.path("options"), "fieldManager"));
  }

  private static @Nullable String text(JsonNode object, String key) {
    return object.path(key).textValue();
  }

  private static String textOrEmpty(JsonNode object, String key) {
    String text = text(object, key);
    return text == null ? "" : text;
  }

  /** The input of the rules. */
  RuleInput input(RuleInput.Operation of, ReviewContext world) {
    return new RuleInput(of, object, oldObject.isObject() ? oldObject : null, about, world);
  }

  /** The object's name for logs; empty while the API server has yet to generate one. */
  String name() {
    JsonNode named = object.isObject() ? object : oldObject;
    String name = named.path("metadata").path("name").asText();
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
  }
}
