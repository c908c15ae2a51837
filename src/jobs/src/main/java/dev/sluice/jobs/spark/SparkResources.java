package dev.sluice.jobs.spark;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sluice.jobs.plan.Patches;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the main container of a driver or an executor requests, as Spark works it out: fields of the
 * application come before its {@code sparkConf}, and those before Spark's defaults.
 *
 * @param application the spec of the application
 * @param role {@code driver} or {@code executor}
 */
record SparkResources(JsonNode application, String role) {
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,15})\\s*([a-z]{0,2})");
  private static final long MIB = 1L << 20;
  private static final Map<String, Long> UNITS =
      Map.of("b", 1L, "k", 1L << 10, "m", MIB, "g", 1L << 30, "t", 1L << 40, "p", 1L << 50);

  private static final long DEFAULT_MEMORY_MIB = 1024;
  private static final long LEAST_OVERHEAD_MIB = 384;
  private static final double JVM_OVERHEAD = 0.1;
  private static final double OTHER_OVERHEAD = 0.4;
  private static final String CPU = "cpu";

  private String conf(String key) {
    return application.path("sparkConf").path(key).asText("");
  }

  private String own(String member) {
    return application.path(role).path(member).asText("");
  }

  /** The first that is stated; empty if none is. */
  private static Optional<String> first(String... values) {
    for (String value : values) {
      if (!value.isEmpty()) {
        return Optional.of(value);
      }
    }
    return Optional.empty();
  }

  /** Requests and limits of the container. */
  ObjectNode tree() {
    ObjectNode resources = Patches.object();
    ObjectNode requests = resources.putObject("requests");
    ObjectNode limits = resources.putObject("limits");
    requests.put(CPU, cpu());
    first(own("coreLimit"), conf("spark.kubernetes." + role + ".limit.cores"))
        .ifPresent(it -> limits.put(CPU, it));
    String memory = memoryMib() + "Mi";
    requests.put("memory", memory);
    limits.put("memory", memory);
    JsonNode gpu = application.path(role).path("gpu");
    first(gpu.path("name").asText(""))
        .ifPresent(
            it -> {
              requests.put(it, gpu.path("quantity").asText());
              limits.put(it, gpu.path("quantity").asText());
            });
    return resources;
  }

  private String cpu() {
    return first(
            own("coreRequest"),
            conf("spark.kubernetes." + role + ".request.cores"),
            own("cores"),
            conf("spark." + role + ".cores"))
        .orElse("1");
  }

  private long memoryMib() {
    long heap =
        mib(first(own("memory"), conf("spark." + role + ".memory")), MIB)
            .orElse(DEFAULT_MEMORY_MIB);
    return heap + overheadMib(heap) + (role.equals("executor") ? besideHeapMib() : 0);
  }

  private long overheadMib(long heap) {
    Optional<String> stated =
        first(own("memoryOverhead"), conf("spark." + role + ".memoryOverhead"));
    return mib(stated, MIB)
        .orElseGet(() -> Math.max(LEAST_OVERHEAD_MIB, (long) (heap * overheadFactor())));
  }

  private double overheadFactor() {
    return first(
            application.path("memoryOverheadFactor").asText(""),
            conf("spark." + role + ".memoryOverheadFactor"),
            conf("spark.kubernetes.memoryOverheadFactor"))
        .map(SparkResources::number)
        .orElse(OptionalDouble.empty())
        .orElse(defaultFactor());
  }

  private double defaultFactor() {
    return isOfTheJvm() ? JVM_OVERHEAD : OTHER_OVERHEAD;
  }

  private boolean isOfTheJvm() {
    String type = application.path("type").asText();
    return !type.equals("Python") && !type.equals("R");
  }

  /** Memory of executors that is neither heap nor overhead. */
  private long besideHeapMib() {
    boolean hasOffHeap = conf("spark.memory.offHeap.enabled").equals("true");
    long offHeap = hasOffHeap ? mib(first(conf("spark.memory.offHeap.size")), 1).orElse(0) : 0;
    boolean isPython = application.path("type").asText().equals("Python");
    long python = isPython ? mib(first(conf("spark.executor.pyspark.memory")), MIB).orElse(0) : 0;
    return offHeap + python;
  }

  private static OptionalDouble number(String text) {
    try {
      double number = Double.parseDouble(text);
      return Double.isFinite(number) && number >= 0
          ? OptionalDouble.of(number)
          : OptionalDouble.empty();
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  /**
   * A size as Spark writes it, such as {@code 512m} or {@code 2gb}, in MiB; empty if it is none.
   *
   * @param unit the bytes that a number without a unit counts
   */
  private static OptionalLong mib(Optional<String> size, long unit) {
    Matcher matcher = SIZE.matcher(size.orElse("").strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    String suffix = matcher.group(2);
    boolean isUnit = suffix.length() < 2 || (suffix.endsWith("b") && !suffix.equals("bb"));
    Long factor = suffix.isEmpty() ? Long.valueOf(unit) : UNITS.get(suffix.substring(0, 1));
    return isUnit && factor != null
        ? OptionalLong.of(Math.ceilDiv(saturated(Long.parseLong(matcher.group(1)), factor), MIB))
        : OptionalLong.empty();
  }

  private static long saturated(long number, long factor) {
    return Math.multiplyHigh(number, factor) == 0 && number * factor >= 0
        ? number * factor
        : Long.MAX_VALUE / 2;
  }
}
