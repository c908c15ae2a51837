package dev.sluice.cli.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The flags that the launcher gives a JVM, read from the launcher, and those that stand for the
 * memory limit of a container. Without the caches that only make a start quick.
 */
public final class LauncherFlags {
  /** The limit of our Deployment for the webhook, in bytes. */
  static final long LIMIT = 512L << 20;

  private static final Path LAUNCHER = Path.of("..", "..", "sluice");
  private static final Pattern ALL = named("flags");
  private static final Pattern LIST = Pattern.compile("\"\\$\\{([a-z]+)\\[@\\]\\}\"");
  private static final Pattern VARIABLE =
      Pattern.compile("^export ([A-Z_]+)=\\$\\{\\1:-([^}]*)\\}", Pattern.MULTILINE);
  private static final List<String> OF_A_CONTAINER =
      List.of("-XX:MaxRAM=" + LIMIT, "-XX:MaxRAMPercentage=50", "-XX:+ExitOnOutOfMemoryError");

  private LauncherFlags() {}

  /** The flags of this command in a container. */
  static List<String> of(String command) throws IOException {
    List<String> flags = new ArrayList<>(given(command));
    flags.addAll(OF_A_CONTAINER);
    return flags;
  }

  /** The flags that the launcher gives this command. */
  public static List<String> given(String command) throws IOException {
    String launcher = Files.readString(LAUNCHER);
    List<String> flags = new ArrayList<>(flags(launcher, ALL));
    String own = "^  %s\\)\\s+flags\\+=\\(([^)]*)\\)".formatted(Pattern.quote(command));
    flags.addAll(flags(launcher, Pattern.compile(own, Pattern.MULTILINE)));
    return flags;
  }

  /** The variables that the launcher gives a process. */
  static Map<String, String> environment() throws IOException {
    Map<String, String> variables =
        VARIABLE
            .matcher(Files.readString(LAUNCHER))
            .results()
            .collect(Collectors.toMap(it -> it.group(1), it -> it.group(2)));
    if (variables.isEmpty()) {
      throw new IllegalStateException(
          LAUNCHER + ": no " + VARIABLE + " (expected: the variables of the process)");
    }
    return variables;
  }

  private static List<String> flags(String launcher, Pattern pattern) {
    Matcher matcher = pattern.matcher(launcher);
    if (!matcher.find()) {
      throw new IllegalStateException(
          LAUNCHER + ": no " + pattern + " (expected: the JVM's flags)");
    }
    return Stream.of(matcher.group(1).split("\\s+"))
        .flatMap(
            flag -> {
              Matcher list = LIST.matcher(flag);
              return list.matches()
                  ? flags(launcher, named(list.group(1))).stream()
                  : Stream.of(flag).filter(it -> it.startsWith("-"));
            })
        .toList();
  }

  /** Where a list of flags is given that others name. */
  private static Pattern named(String list) {
    return Pattern.compile("^%s=\\(([^)]*)\\)".formatted(list), Pattern.MULTILINE);
  }
}
