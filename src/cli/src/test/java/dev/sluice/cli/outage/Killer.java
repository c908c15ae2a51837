package dev.sluice.cli.outage;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Kills at random moments: after a number of finished jobs that is drawn, and a random while later;
 * every fourth kill soon after the one before it, so that beginnings are hit, too.
 */
final class Killer {
  private static final long LATEST = 700_000_000L;
  private static final long SOON = 3_000_000_000L;

  private final @Nullable Replica webhook;
  private final List<Replica> schedulers;
  private final List<Integer> thresholds = new ArrayList<>();
  private final Random random;
  private long due = -1;
  private int done;
  private int webhookKills;

  /**
   * Nothing is killed yet.
   *
   * @param webhook null if only schedulers are to be killed
   */
  Killer(@Nullable Replica webhook, List<Replica> schedulers, int kills, int jobs, Random random) {
    this.webhook = webhook;
    this.schedulers = new ArrayList<>(schedulers);
    this.random = random;
    int last = 0;
    for (int i = 0; i < kills; i++) {
      int from = Math.toIntExact((long) i * jobs / kills);
      int to = Math.max(from + 1, Math.toIntExact((i + 1L) * jobs / kills));
      last = i % 4 == 3 ? last : random.nextInt(from, to);
      thresholds.add(last);
    }
  }

  /** Kills if it is time. */
  void look(int finished) {
    if (done == thresholds.size() || finished < thresholds.get(done)) {
      return;
    }
    long now = System.nanoTime();
    if (due < 0) {
      due = now + random.nextLong(done % 4 == 3 ? SOON : LATEST);
    } else if (now >= due) {
      due = -1;
      done++;
      kill();
    }
  }

  /** Mostly the scheduler that has run for longer, which is likely to lead. */
  private void kill() {
    int drawn = random.nextInt(10);
    if (drawn < 3 && webhook != null) {
      webhookKills++;
      webhook.kill();
    } else {
      Replica victim = schedulers.remove(drawn < 8 ? 0 : schedulers.size() - 1);
      victim.kill();
      schedulers.add(victim);
    }
  }

  boolean isDone() {
    return done == thresholds.size();
  }

  int ofTheWebhook() {
    return webhookKills;
  }

  int ofSchedulers() {
    return done - webhookKills;
  }
}
