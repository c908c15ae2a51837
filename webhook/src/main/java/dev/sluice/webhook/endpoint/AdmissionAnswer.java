package dev.sluice.webhook.endpoint;

import dev.sluice.conversion.json.JsonOutput;
import dev.sluice.webhook.rules.Denial;
import java.util.List;

/** The texts of answers to an AdmissionReview. */
final class AdmissionAnswer {
  private AdmissionAnswer() {}

  /** Lets the object pass. */
  static Answer allow(String uid, List<String> warnings) {
    JsonOutput out = begin(uid, true);
    out.writeAscii(",\"status\":{\"code\":200}");
    return end(out, warnings);
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
