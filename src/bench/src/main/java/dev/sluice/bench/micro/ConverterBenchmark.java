package dev.sluice.bench.micro;

import dev.sluice.api.ApiVersion;
import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.step.Mode;
import dev.sluice.json.Json;
import dev.sluice.json.JsonLimits;
import dev.sluice.json.JsonOutput;
import dev.sluice.json.JsonSyntax;
import dev.sluice.json.MalformedJsonException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One object, whose syntax was checked before, converted and written. */
@State(Scope.Thread)
@BenchmarkMode(org.openjdk.jmh.annotations.Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up first
public class ConverterBenchmark {
  /** The kind of the object. */
  @Param({"Topology", "Cohort"})
  public String kind;

  /** The version it comes in, and the one it goes to. */
  @Param({
    "v1alpha1>v1beta1",
    "v1beta1>v1alpha1",
    "v1beta1>v1beta2",
    "v1beta2>v1beta1",
    "v1alpha1>v1beta2",
    "v1beta2>v1alpha1"
  })
  public String way;

  private final Converter converter = new Converter(Mode.CARRY);
  private Json object;
  private ApiVersion to;

  /** Makes the object. */
  @Setup
  public void makeObject() throws MalformedJsonException {
    int arrow = way.indexOf('>');
    ApiVersion from = ApiVersion.findByText(way.substring(0, arrow)).orElseThrow();
    to = ApiVersion.findByText(way.substring(arrow + 1)).orElseThrow();
    object = new JsonSyntax(JsonLimits.DEFAULT).check(Objects.object(kind, from));
  }

  /** Converts it. */
  @Benchmark
  public long convert() {
    if (!(converter.convert(object, to) instanceof Outcome.Converted converted)) {
      throw new IllegalStateException("not converted");
    }
    JsonOutput out = new JsonOutput();
    converted.object().writeTo(out);
    return out.length();
  }
}
