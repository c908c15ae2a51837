package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.see.usage.QueueUsage;
import dev.sluice.see.usage.UsageLog;
import dev.sluice.server.reply.Reply;
import java.time.Instant;

/** Answers what a ClusterQueue used during the last hour. Safe for many threads. */
final class UsageAnswers {
  private final UsageLog usage;

  UsageAnswers(UsageLog usage) {
    this.usage = usage;
  }

  Reply answer(Target.Resource target, QueueState state, Instant now, SeeRequest request) {
    if (!state.snapshot().hasClusterQueue(target.name())) {
      return target.notFound();
    }
    ObjectNode content = content(usage.of(target.name(), now));
    ObjectNode document = ViewDocuments.of("QueueUsage", state.asOf());
    document.setAll(content);
    return Views.tagged(document, content.toString(), request);
  }

  private static ObjectNode content(QueueUsage usage) {
    ObjectNode content = JsonNodeFactory.instance.objectNode();
    if (usage.from() != null && usage.to() != null) {
      content.put("from", usage.from().toString()).put("to", usage.to().toString());
    }
    content.put("complete", usage.isComplete());
    ArrayNode items = content.putArray("items");
    for (QueueUsage.Pair pair : usage.pairs()) {
      String resource = pair.pair().resource();
      ObjectNode item = items.addObject().put("flavor", pair.pair().flavor());
      ArrayNode steps = item.put("resource", resource).putArray("steps");
      for (QueueUsage.Step step : pair.steps()) {
        ObjectNode node = steps.addObject().put("at", step.at().toString());
        QueueUsage.Use use = step.use();
        if (use != null) {
          node.put("nominal", use.nominal().text(resource));
          node.put("used", use.used().text(resource));
          node.put("borrowed", use.borrowed().text(resource));
        }
      }
    }
    return content;
  }
}
