package dev.sluice.cli.migrate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;

/** A line every few seconds, where no terminal is, with rate and time left. */
final class LineDisplay implements Display {
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final PrintWriter err;
  private final String task;
  private final long already;
  private final LongSupplier nanoTime;
  private final long began;

  @GuardedBy("this")
  private long total;

  @GuardedBy("this")
  private long done;

  @GuardedBy("this")
  private long lastLine;

  LineDisplay(PrintWriter err, String task, long already, LongSupplier nanoTime) {
    this.err = err;
    this.task = task;
    this.already = already;
    this.nanoTime = nanoTime;
    this.began = nanoTime.getAsLong();
    this.lastLine = began;
  }

  @Override
  public synchronized void expect(long newTotal) {
    total = newTotal;
  }

  @Override
  public synchronized void step() {
    done++;
    long now = nanoTime.getAsLong();
    if (now - lastLine >= EVERY.toNanos()) {
      lastLine = now;
      print(line(now));
    }
  }

  @GuardedBy("this")
  private String line(long now) {
    double perSecond = done / Math.max((now - began) / 1e9, 1e-3);
    long left = Math.max(total - already - done, 0);
    return "%s: %d of %d, %.0f/s, %s left"
        .formatted(task, already + done, total, perSecond, time(left / Math.max(perSecond, 1e-3)));
  }

  private static String time(double seconds) {
    long whole = Math.min((long) Math.ceil(seconds), 359_999);
    return "%d:%02d:%02d".formatted(whole / 3600, whole / 60 % 60, whole % 60);
  }

  @Override
  public void say(String sentence) {
    print(sentence);
  }

  private void print(String line) {
    err.println(line);
    err.flush();
  }

  /** The last line says how it went altogether. */
  @Override
  public synchronized void close() {
    long now = nanoTime.getAsLong();
    print("%s: %d seen to in %.1f s".formatted(task, done, (now - began) / 1e9));
  }
}
