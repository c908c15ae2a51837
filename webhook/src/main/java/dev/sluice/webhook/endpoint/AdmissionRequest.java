package dev.sluice.webhook.endpoint;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sluice.api.GroupVersionKind;
import dev.sluice.conversion.json.Json;
import dev.sluice.conversion.json.JsonObject;
import dev.sluice.conversion.json.JsonSlice;
import dev.sluice.conversion.json.JsonSyntax;
import dev.sluice.conversion.review.BadReviewException;
import dev.sluice.conversion.review.ReviewEnvelope;
import dev.sluice.webhook.rules.RuleInput;
import dev.sluice.webhook.rules.World;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The request of an AdmissionReview, read from its text.
 *
 * @param uid what the answer must repeat
 * @param kind what the object is
 * @param operation CREATE, UPDATE, DELETE or CONNECT
 * @param object the object as it would be stored; a missing node if the request has none
 * @param oldObject the stored object; a missing node if the request has none
 * @param about where the object is to be, and who asks
 * @param dryRun whether nothing will be stored
 */
record AdmissionRequest(
    String uid,
    GroupVersionKind kind,
    String operation,
    JsonNode object,
    JsonNode oldObject,
    RuleInput.Request about,
    boolean dryRun) {
  static final String API_VERSION = "admission.k8s.io/v1";
  static final String KIND = "AdmissionReview";

  private static final int LONGEST_NAME = 253;

  /** Without bounds of its own: what it reads was let through by {@link JsonSyntax}. */
  private static final ObjectMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(Integer.MAX_VALUE)
                          .maxNumberLength(Integer.MAX_VALUE)
                          .maxStringLength(Integer.MAX_VALUE)
                          .maxNameLength(Integer.MAX_VALUE)
                          .build())
                  .build())
          .build();

  /**
   * Reads a review's text.
   *
   * @throws BadReviewException if it is no AdmissionReview that can be answered
   */
  static AdmissionRequest read(byte[] body, JsonSyntax syntax) throws BadReviewException {
    ReviewEnvelope review = ReviewEnvelope.read(body, syntax, KIND, API_VERSION);
    JsonObject request = review.request();
    return new AdmissionRequest(
        review.uid(),
        kind(request),
        review.text("operation"),
        tree(request.get("object")),
        tree(request.get("oldObject")),
        about(request),
        tree(request.get("dryRun")).asBoolean());
  }

  /** What rules may know of this request. */
  RuleInput input(RuleInput.Operation of, World world) {
    return new RuleInput(of, object, oldObject.isObject() ? oldObject : null, about, world);
  }

  private static RuleInput.Request about(JsonObject request) {
    JsonObject user = request.object("userInfo");
    return new RuleInput.Request(
        text(request, "namespace"),
        text(request, "subResource"),
        user == null ? "" : text(user, "username"),
        tree(request.get("dryRun")).asBoolean());
  }

  private static String text(JsonObject object, String key) {
    String text = object.text(key);
    return text == null ? "" : text;
  }

  /** The object's name for logs; empty while the API server has yet to generate one. */
  String name() {
    JsonNode named = object.isObject() ? object : oldObject;
    String name = named.path("metadata").path("name").asText();
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME);
  }

  private static GroupVersionKind kind(JsonObject request) throws BadReviewException {
    JsonObject kind = request.object("kind");
    if (kind == null) {
      throw ReviewEnvelope.malformed(
          "request.kind: missing (expected: an object of group, version and kind)");
    }
    return new GroupVersionKind(part(kind, "group"), part(kind, "version"), part(kind, "kind"));
  }

  private static String part(JsonObject kind, String key) throws BadReviewException {
    String text = kind.text(key);
    if (text == null || text.length() > LONGEST_NAME) {
      throw ReviewEnvelope.malformed(
          "request.kind.%s: %s (expected: a string)"
              .formatted(key, text == null ? "missing" : "too long"));
    }
    return text;
  }

  private static JsonNode tree(@Nullable Json value) {
    if (!(value instanceof JsonSlice slice) || slice.type() == Json.Type.NULL) {
      return MissingNode.getInstance();
    }
    try {
      return MAPPER.readTree(slice.toByteArray());
    } catch (IOException e) {
      throw new IllegalStateException("JSON that was checked cannot be read", e);
    }
  }
}
