package dev.sluice.bench.worst;

import dev.sluice.conversion.step.MemoryBudget;
import dev.sluice.json.JsonSyntax;
import dev.sluice.webhook.endpoint.Answer;
import dev.sluice.webhook.endpoint.ConversionEndpoint;
import dev.sluice.webhook.endpoint.ConversionMeters;
import dev.sluice.webhook.endpoint.Deadline;
import dev.sluice.webhook.server.Bounds;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The program that answers one body in a small heap, and prints what came of it. */
public final class WorstProbe {
  private static final Duration TIME = Duration.ofMinutes(2);

  private WorstProbe() {}

  /** Gives what is asked for, and remembers the most that was taken at a time. */
  private static final class Counted implements MemoryBudget {
    private long taken;
    private long most;

    @Override
    public boolean tryTake(long bytes) {
      taken += bytes;
      most = Math.max(most, taken);
      return true;
    }

    @Override
    public boolean couldTake(long bytes) {
      return true;
    }

    @Override
    public void giveBack(long bytes) {
      taken -= bytes;
    }

    @Override
    public long most() {
      return Long.MAX_VALUE;
    }
  }

  /** Answers the body in that file; prints status, bytes of the answer and bytes charged. */
  public static void main(String[] file) throws IOException {
    byte[] body = Files.readAllBytes(Path.of(file[0]));
    Counted budget = new Counted();
    Answer answer =
        new ConversionEndpoint(
                new JsonSyntax(Bounds.DEFAULT.json()),
                Bounds.DEFAULT.maxAnswerBytes(),
                new ConversionMeters(new SimpleMeterRegistry()),
                System::nanoTime)
            .answer(body, Deadline.after(TIME, System::nanoTime), budget);
    System.out.println(answer.status() + " " + answer.length() + " " + (budget.most + body.length));
  }
}
