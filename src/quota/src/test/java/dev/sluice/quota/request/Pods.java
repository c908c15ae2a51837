package dev.sluice.quota.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import dev.sluice.api.pod.PodSpec;
import dev.sluice.api.read.HubObjects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Pods in one line, for tables: {@code containers: [1, 500m], init: [2, 1 sidecar], pod: 3,
 * overhead: 1}, all of cpu.
 */
final class Pods {
  private Pods() {}

  static PodSpec parse(String text) {
    String json =
        """
        {"containers": [%s], "initContainers": [%s], "overhead": {%s}%s}
        """
            .formatted(
                containers(find(text, "containers: \\[(.*?)]")),
                containers(find(text, "init: \\[(.*?)]")),
                cpu(find(text, "overhead: (\\w+)")),
                whole(find(text, "pod: (\\w+)")));
    return HubObjects.read(PodSpec.class, json.getBytes(UTF_8));
  }

  private static String find(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }

  private static String containers(String list) {
    return list.isEmpty()
        ? ""
        : Stream.of(list.split(", ", -1)).map(Pods::container).collect(joining(", "));
  }

  private static String container(String text) {
    boolean sidecar = text.endsWith(" sidecar");
    String policy = sidecar ? ", \"restartPolicy\": \"Always\"" : "";
    return "{\"name\": \"c\", \"resources\": {\"requests\": {"
        + cpu(text.replace(" sidecar", ""))
        + "}}"
        + policy
        + "}";
  }

  private static String whole(String quantity) {
    return quantity.isEmpty() ? "" : ", \"resources\": {\"requests\": {" + cpu(quantity) + "}}";
  }

  private static String cpu(String quantity) {
    return quantity.isEmpty() ? "" : "\"cpu\": \"" + quantity + "\"";
  }
}
