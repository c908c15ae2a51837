package dev.sluice.image;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a container of the image does; each has options of the JVM of its own. */
public enum Role {
  /**
   * The webhook server; see {@code 0028-heap.md} and {@code 0004-starts.md} in {@code
   * docs/contributing/decisions}.
   */
  SERVE(
      "-XX:NewSize=12m -XX:MaxNewSize=12m -XX:TrimNativeHeapInterval=3000"
          + " -Dio.netty.allocator.type=pooled -Dio.netty.allocator.maxOrder=4"
          + " -XX:Tier4InvocationThreshold=20000 -XX:Tier4MinInvocationThreshold=2400"
          + " -XX:Tier4CompileThreshold=60000 -XX:Tier4BackEdgeThreshold=160000"),
  /** The scheduler; see {@code docs/contributing/decisions/0009-compiling.md}. */
  SCHEDULE("-XX:InlineSmallCode=300 -XX:FreqInlineSize=60 -XX:MaxInlineLevel=6");

  private static final List<String> ALL =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:+UseCompactObjectHeaders",
          "-XX:MaxRAMPercentage=50",
          "-Xms64m",
          "-XX:NewSize=32m",
          "-XX:-UsePerfData",
          "-XX:+ExitOnOutOfMemoryError",
          "-XX:TrimNativeHeapInterval=10000",
          "-Xlog:disable",
          "-Xlog:all=off",
          "--sun-misc-unsafe-memory-access=allow",
          "-Dio.netty.jfr.enabled=false",
          "-Dkeystore.pkcs12.keyPbeIterationCount=1");

  private final String own;

  Role(String own) {
    this.own = own;
  }

  /** The command of the program that a container with this role runs. */
  public String command() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The options that the launcher gives the JVM for this role. */
  public List<String> options() {
    List<String> options = new ArrayList<>(ALL);
    options.addAll(List.of(own.split(" ", -1)));
    return List.copyOf(options);
  }

  /** The file in the image, beside the program, with everything up to the program's arguments. */
  public String optionsFile() {
    return command() + ".options";
  }

  /** The lines of the options file for a program in this folder. */
  List<String> lines(Path program, Optional<Path> cache) {
    List<String> lines = new ArrayList<>(options());
    cache.ifPresent(it -> lines.add("-XX:SharedArchiveFile=" + it));
    lines.add("-jar");
    lines.add(program.toString());
    return lines;
  }
}
