package dev.sluice.manifests.packages;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lets values of the chart replace parts of the Pods in the text of its template. */
final class PodValues {
  private static final String MANAGER = ".Values.controllerManager.";
  private static final String IMAGE_OF_VALUES =
      "\"{{ .Values.controllerManager.manager.image.repository }}:"
          + "{{ .Values.controllerManager.manager.image.tag | default .Chart.AppVersion }}\"";
  private static final Pattern IMAGE = Pattern.compile("(?m)^( *)image: SLUICE_IMAGE$");
  private static final Pattern ACCOUNT = Pattern.compile("(?m)^( *)serviceAccountName: .*$");
  private static final Pattern TEMPLATE = Pattern.compile("(?m)^  template:\n    metadata:$");
  private static final Pattern PRIORITY = Pattern.compile("(?m)^( *priorityClassName): (.*)$");
  private static final Pattern CONTAINER = Pattern.compile("        - name: (\\S+)");
  private static final String RESOURCES = "          resources:";
  private static final String SPREAD = "      topologySpreadConstraints:";

  private PodValues() {}

  /** The text with what only the chart can choose. */
  static String in(String text) {
    String more =
        IMAGE
            .matcher(text)
            .replaceAll(
                match ->
                    match.group(1)
                        + "image: "
                        + IMAGE_OF_VALUES
                        + optional(
                            "manager.image.pullPolicy",
                            match.group(1) + "imagePullPolicy: {{ . }}"));
    more =
        ACCOUNT
            .matcher(more)
            .replaceAll(
                match ->
                    match.group()
                        + optional("imagePullSecrets", yaml(match.group(1), "imagePullSecrets"))
                        + optional("nodeSelector", yaml(match.group(1), "nodeSelector"))
                        + optional("tolerations", yaml(match.group(1), "tolerations")));
    more =
        TEMPLATE
            .matcher(more)
            .replaceAll(
                match ->
                    match.group()
                        + optional("manager.podAnnotations", yaml("      ", "annotations")));
    more =
        PRIORITY
            .matcher(more)
            .replaceAll("$1: {{ " + MANAGER + "manager.priorityClassName | default \"$2\" }}");
    return String.join("\n", replaceable(more.lines().toList())) + "\n";
  }

  private static String optional(String value, String lines) {
    return "\n{{- with " + MANAGER + value + " }}\n" + lines + "\n{{- end }}";
  }

  private static String yaml(String indent, String key) {
    return "%s%s:\n{{ toYaml . | indent %d }}".formatted(indent, key, indent.length() + 2);
  }

  /** Whole members of Pods and containers of which a value may take the place. */
  private static List<String> replaceable(List<String> lines) {
    List<String> result = new ArrayList<>();
    String container = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      Matcher name = CONTAINER.matcher(line);
      if (name.matches()) {
        container = name.group(1);
      }
      result.add(line);
      if (line.equals(SPREAD)) {
        i = replaceable(lines, i, MANAGER + "topologySpreadConstraints", result);
      } else if (line.equals(RESOURCES) && lines.get(i + 1).endsWith(" requests:")) {
        i = replaceable(lines, i, ".Values.resources." + container, result);
      }
    }
    return result;
  }

  /** Adds what is below that line, under the condition that nobody chose; answers its last line. */
  private static int replaceable(List<String> lines, int at, String value, List<String> result) {
    String below = " ".repeat(indent(lines.get(at)) + 2);
    result.add("{{- with " + value + " }}");
    result.add("{{ toYaml . | indent " + below.length() + " }}");
    result.add("{{- else }}");
    int last = at;
    while (last + 1 < lines.size() && lines.get(last + 1).startsWith(below)) {
      result.add(lines.get(++last));
    }
    result.add("{{- end }}");
    return last;
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }
}
