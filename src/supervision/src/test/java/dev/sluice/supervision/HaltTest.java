package dev.sluice.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In processes of their own, which really end. */
class HaltTest {
  private static final long PATIENCE_SECONDS = 90;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "error    | 70 | ending with exit code 70: the part broken failed with"
            + " java.lang.AssertionError: on purpose",
        "uncaught | 70 | ending with exit code 70: the part other failed with"
            + " java.lang.LinkageError: on purpose",
        "lease    | 1  | ending with exit code 1 within",
        "hung     | 1  | ending with exit code 1 within",
      })
  void aProcessEndsWithItsCodeAndALineThatSaysWhy(String story, int code, String line)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                Story.class.getName(),
                story)
            .redirectErrorStream(true)
            .start();
    try (InputStream out = process.getInputStream()) {
      String told = new String(out.readAllBytes(), StandardCharsets.UTF_8);

      assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(told).contains(line);
      assertThat(process.exitValue()).isEqualTo(code);
      assertThat(told.contains("closed in order")).isEqualTo(story.equals("lease"));
    } finally {
      process.destroyForcibly();
    }
  }

  /** What such a process does. */
  static final class Story {
    private Story() {}

    /** Plays one. */
    public static void main(String[] args) throws InterruptedException {
      Supervisor supervisor =
          new Supervisor(
                  new Halt(Duration.ofSeconds(2)),
                  java.time.InstantSource.system(),
                  System::nanoTime)
              .watchOtherThreads();
      CountDownLatch never = new CountDownLatch(1);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    if (args[0].equals("hung")) {
                      hang(never);
                    }
                    System.out.println("closed in order");
                  }));
      switch (args[0]) {
        case "error" ->
            supervisor
                .part("broken")
                .thread(
                    Thread.ofVirtual(),
                    Duration.ofMinutes(1),
                    _ -> {
                      throw new AssertionError("on purpose");
                    })
                .start();
        case "uncaught" ->
            Thread.ofPlatform()
                .start(
                    () -> {
                      throw new LinkageError("on purpose");
                    });
        default -> supervisor.end().leave(ProcessEnd.DEPOSED, "another replica leads");
      }
      never.await();
    }

    private static void hang(CountDownLatch never) {
      try {
        never.await();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt(); // nobody does
      }
    }
  }
}
