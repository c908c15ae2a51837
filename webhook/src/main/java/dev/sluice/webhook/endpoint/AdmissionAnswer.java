package dev.sluice.webhook.endpoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.json.JsonOutput;
import dev.sluice.rules.Denial;
import dev.sluice.rules.PatchRecorder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** The texts of answers to an AdmissionReview. */
final class AdmissionAnswer {
  private AdmissionAnswer() {}

  /** Lets the object pass, with these edits. */
  static Answer allow(String uid, List<String> warnings, List<PatchRecorder.Edit> edits) {
    JsonOutput out = begin(uid, true);
    out.writeAscii(",\"status\":{\"code\":200}");
    if (!edits.isEmpty()) {
      out.writeAscii(",\"patchType\":\"JSONPatch\",\"patch\":\"");
      out.writeAscii(Base64.getEncoder().encodeToString(patch(edits)));
      out.writeAscii("\"");
    }
    return end(out, warnings);
  }

  private static byte[] patch(List<PatchRecorder.Edit> edits) {
    ArrayNode patch = JsonNodeFactory.instance.arrayNode(edits.size());
    for (PatchRecorder.Edit edit : edits) {
      ObjectNode operation = patch.addObject().put("op", edit.op()).put("path", edit.path());
      if (!edit.value().isMissingNode()) {
        operation.set("value", edit.value());
      }
    }
    return patch.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Refuses the object. */
  static Answer deny(String uid, Denial denial, List<String> warnings) {
    JsonOutput out = begin(uid, false);
    out.writeAscii(",\"status\":{\"status\":\"Failure\",\"code\":" + denial.code());
    out.writeAscii(",\"reason\":");
    out.writeText(denial.reason());
    out.writeAscii(",\"message\":");
    out.writeText(denial.message());
    out.writeAscii("}");
    return end(out, warnings);
  }

  private static JsonOutput begin(String uid, boolean allowed) {
    JsonOutput out = new JsonOutput();
    out.writeAscii("{\"apiVersion\":\"" + AdmissionRequest.API_VERSION + "\"");
    out.writeAscii(",\"kind\":\"" + AdmissionRequest.KIND + "\",\"response\":{\"uid\":");
    out.writeText(uid);
    out.writeAscii(",\"allowed\":" + allowed);
    return out;
  }

  private static Answer end(JsonOutput out, List<String> warnings) {
    for (int i = 0; i < warnings.size(); i++) {
      out.writeAscii(i == 0 ? ",\"warnings\":[" : ",");
      out.writeText(warnings.get(i));
    }
    out.writeAscii(warnings.isEmpty() ? "}}" : "]}}");
    return Answer.review(out.segments());
  }
}
