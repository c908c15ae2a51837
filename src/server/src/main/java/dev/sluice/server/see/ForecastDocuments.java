package dev.sluice.server.see;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.api.meta.ObjectKey;
import dev.sluice.quota.world.WorkloadState;
import dev.sluice.see.forecast.Band;
import dev.sluice.see.forecast.Forecast;
import dev.sluice.see.forecast.Score;
import java.util.Map;

/** Forecasts as JSON. */
final class ForecastDocuments {
  private ForecastDocuments() {}

  /** The document about a Workload; it has no forecast where it has quota, or is too new. */
  static ObjectNode of(ObjectKey workload, QueueState state, Past past) {
    ObjectNode document = ViewDocuments.of("Forecast", state.asOf());
    ViewDocuments.addName(workload, document.putObject("workload"));
    WorkloadState known = state.snapshot().state(workload);
    document.put("waits", known != null && !known.holdsQuota() && !known.finished());
    addWithScore(workload, past, document);
    return document;
  }

  /** Adds what is forecast for the Workload, if anything is, and how good such forecasts were. */
  static void addWithScore(ObjectKey workload, Past past, ObjectNode owner) {
    past.forecast(workload)
        .ifPresent(
            forecast -> {
              Score score = past.scores().getOrDefault(forecast.clusterQueue(), Score.NONE);
              ObjectNode node = add(forecast, owner);
              if (score.starts() > 0) {
                node.putObject("score").put("starts", score.starts()).put("within", score.within());
              }
            });
  }

  /** Adds what is forecast, and returns it. */
  static ObjectNode add(Forecast forecast, ObjectNode owner) {
    ObjectNode node = owner.putObject("forecast").put("status", forecast.status().text());
    Band band = forecast.band();
    boolean hasBand =
        forecast.status() == Forecast.Status.WINDOW || forecast.status() == Forecast.Status.NOW;
    if (hasBand) {
      node.put("from", forecast.at(band.early()).toString());
      node.put("likely", forecast.at(band.middle()).toString());
      if (band.isFinite()) {
        node.put("until", forecast.at(band.late()).toString());
      }
    }
    Forecast.Basis basis = forecast.basis();
    ObjectNode base = node.putObject("basis").put("asOf", basis.asOf().toString());
    base.put("plays", basis.plays());
    basis
        .group()
        .ifPresent(it -> base.put("group", it.level().text()).put("samples", basis.samples()));
    return node;
  }

  /** The scores of all ClusterQueues. */
  static ObjectNode of(Map<String, Score> scores, ObjectNode document) {
    var items = document.putArray("items");
    scores.forEach(
        (queue, score) ->
            items
                .addObject()
                .put("clusterQueue", queue)
                .put("starts", score.starts())
                .put("within", score.within())
                .put("medianErrorSeconds", score.medianErrorSeconds())
                .put("pinballSeconds", score.pinball()));
    return document;
  }
}
