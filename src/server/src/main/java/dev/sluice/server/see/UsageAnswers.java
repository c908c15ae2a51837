package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ArrayNode;
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
    ObjectNode document = ViewDocuments.of("QueueUsage", state.asOf());
    addTo(document, usage.of(target.name(), now));
    return request.unlessKnown(state.reply(document)); // it changes at other times than the queues
  }

  private static void addTo(ObjectNode document, QueueUsage usage) {
    if (usage.from() != null && usage.to() != null) {
      document.put("from", usage.from().toString()).put("to", usage.to().toString());
    }
    document.put("complete", usage.isComplete());
    ArrayNode items = document.putArray("items");
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
  }
}
