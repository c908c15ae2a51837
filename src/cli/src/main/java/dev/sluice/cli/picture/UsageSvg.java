package dev.sluice.cli.picture;

import dev.sluice.cli.picture.UsageOverTime.Step;
import dev.sluice.quota.amount.Amount;
import dev.sluice.quota.amount.FlavorResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The use of quota as a picture: one panel for each resource of each ClusterQueue, the flavors
 * piled up in steps, and the queue's own quota as a dashed line. What is above the line is
 * borrowed. The panels share an axis: time, or the number of the cycle where no time passed.
 */
public final class UsageSvg {
  private static final int MAX_PANELS = 100;
  private static final double WIDTH = 960;
  private static final double LEFT = 76;
  private static final double RIGHT = 24;
  private static final double TOP = 84;
  private static final double PANEL = 96;
  private static final double GAP = 46;
  private static final double BOTTOM = 56;

  /** Colours that colour-blind people can distinguish. */
  private static final List<String> COLOURS =
      List.of(
          "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8f7a00", "#5b5b8f");

  private final Svg svg = new Svg();
  private final UsageOverTime usage;
  private final Scale across;
  private final Map<String, String> colours = new TreeMap<>();

  private UsageSvg(UsageOverTime usage) {
    this.usage = usage;
    this.across =
        usage.tookTime()
            ? Scale.ofSeconds(1.04 * position(usage.steps().getLast()))
            : Scale.ofCycles(usage.cycles() + 1);
    var flavors = new TreeSet<String>();
    usage.nominal().values().forEach(quota -> quota.keySet().forEach(p -> flavors.add(p.flavor())));
    for (String flavor : flavors) {
      colours.put(flavor, COLOURS.get(colours.size() % COLOURS.size()));
    }
  }

  /** A panel: the resource of a queue, with its quota by flavor. */
  private record Panel(String queue, String resource, Map<String, Long> nominal) {}

  /** The picture as the text of an SVG document. */
  public static String of(UsageOverTime usage) {
    return new UsageSvg(usage).draw();
  }

  private String draw() {
    List<Panel> panels = panels();
    List<Panel> drawn = panels.subList(0, Math.min(MAX_PANELS, panels.size()));
    drawHead(panels.size() - drawn.size());
    double y = TOP;
    for (Panel panel : drawn) {
      draw(panel, y);
      y += PANEL + GAP;
    }
    double foot = drawn.isEmpty() ? TOP : y - GAP;
    drawAxis(foot);
    return svg.document(WIDTH, foot + BOTTOM);
  }

  private List<Panel> panels() {
    List<Panel> panels = new ArrayList<>();
    usage
        .nominal()
        .forEach(
            (queue, quota) -> {
              Map<String, Map<String, Long>> byResource = new TreeMap<>();
              quota.forEach(
                  (pair, nominal) ->
                      byResource
                          .computeIfAbsent(pair.resource(), _ -> new LinkedHashMap<>())
                          .put(pair.flavor(), nominal));
              byResource.forEach((r, nominal) -> panels.add(new Panel(queue, r, nominal)));
            });
    return panels;
  }

  private void drawHead(int left) {
    svg.text(LEFT, 28, "font-size=\"17\" font-weight=\"600\"", "Use of quota by ClusterQueue");
    String more = left == 0 ? "" : "; " + left + " more panels are not drawn";
    String from = "from " + usage.start() + ", " + usage.cycles() + " cycles" + more;
    svg.text(WIDTH - RIGHT, 28, "text-anchor=\"end\" fill=\"#52606d\"", from);
    double x = LEFT;
    for (Map.Entry<String, String> flavor : colours.entrySet()) {
      svg.rect(x, 44, 12, 12, "rx=\"2\" fill=\"%s\"".formatted(flavor.getValue()));
      svg.text(x + 17, 54, "", flavor.getKey());
      x += 34 + 7.0 * flavor.getKey().length();
    }
    svg.line(x, 50, x + 22, 50, "stroke=\"#1f2933\" stroke-width=\"1.5\" stroke-dasharray=\"5 3\"");
    svg.text(x + 28, 54, "", "quota of its own");
  }

  private void draw(Panel panel, double top) {
    Map<String, double[]> amounts = new TreeMap<>();
    panel.nominal().keySet().forEach(flavor -> amounts.put(flavor, amounts(panel, flavor)));
    double own = own(panel);
    Scale up = Scale.ofAmounts(panel.resource(), Math.max(own, peak(amounts)));
    String unit = panel.resource().equals("cpu") ? "cpu (cores)" : panel.resource();
    svg.text(LEFT, top - 9, "font-weight=\"600\"", panel.queue() + " \u00b7 " + unit);
    drawGrid(up, top);
    double[] floor = new double[usage.steps().size()];
    amounts.forEach((flavor, values) -> pile(flavor, values, floor, up, top));
    if (own > 0) {
      double y = y(own, up, top);
      svg.line(
          LEFT,
          y,
          WIDTH - RIGHT,
          y,
          "stroke=\"#1f2933\" stroke-width=\"1.5\" stroke-dasharray=\"5 3\"");
    }
    svg.line(LEFT, top + PANEL, WIDTH - RIGHT, top + PANEL, "stroke=\"#52606d\"");
  }

  /** The quota of all flavors together; zero, which draws no line, where one is unlimited. */
  private static double own(Panel panel) {
    return panel.nominal().values().stream().anyMatch(amount -> new Amount(amount).unlimited())
        ? 0
        : panel.nominal().values().stream().mapToDouble(Long::doubleValue).sum();
  }

  private double[] amounts(Panel panel, String flavor) {
    FlavorResource pair = new FlavorResource(flavor, panel.resource());
    return usage.steps().stream()
        .mapToDouble(
            step -> step.usage().getOrDefault(panel.queue(), Map.of()).getOrDefault(pair, 0L))
        .toArray();
  }

  private static double peak(Map<String, double[]> amounts) {
    double peak = 0;
    int length = amounts.values().stream().mapToInt(values -> values.length).max().orElse(0);
    for (int i = 0; i < length; i++) {
      double sum = 0;
      for (double[] values : amounts.values()) {
        sum += values[i];
      }
      peak = Math.max(peak, sum);
    }
    return peak;
  }

  private void drawGrid(Scale up, double top) {
    for (Scale.Tick tick : up.ticks()) {
      double y = y(tick.value(), up, top);
      svg.line(LEFT, y, WIDTH - RIGHT, y, "stroke=\"#e4e7eb\"");
      svg.text(
          LEFT - 8, y + 4, "text-anchor=\"end\" font-size=\"11\" fill=\"#52606d\"", tick.label());
    }
    for (Scale.Tick tick : across.ticks()) {
      svg.line(x(tick.value()), top, x(tick.value()), top + PANEL, "stroke=\"#f0f2f5\"");
    }
  }

  /** Draws one flavor on top of what lies there, and raises the floor by it. */
  private void pile(String flavor, double[] values, double[] floor, Scale up, double top) {
    StringBuilder above = new StringBuilder();
    StringBuilder below = new StringBuilder();
    double last = Double.NaN;
    for (int i = 0; i < values.length; i++) {
      double x = x(position(usage.steps().get(i)));
      double next = i + 1 < values.length ? x(position(usage.steps().get(i + 1))) : x(across.end());
      if (next - x >= 0.25 || i + 1 == values.length) { // what is narrower cannot be seen
        double from = Double.isNaN(last) ? x : last;
        step(above, from, next, y(floor[i] + values[i], up, top));
        below.insert(0, corners(next, from, y(floor[i], up, top)));
        last = next;
      }
      floor[i] += values[i];
    }
    String colour = colours.getOrDefault(flavor, COLOURS.getFirst());
    svg.shape(
        "path",
        "d=\"M%sL%sZ\" fill=\"%s\" fill-opacity=\"0.85\""
            .formatted(above.toString().strip(), below.toString().strip(), colour));
  }

  private static void step(StringBuilder path, double from, double to, double y) {
    path.append(corners(from, to, y));
  }

  private static String corners(double from, double to, double y) {
    return " %s %s %s %s".formatted(Svg.number(from), Svg.number(y), Svg.number(to), Svg.number(y));
  }

  private void drawAxis(double y) {
    for (Scale.Tick tick : across.ticks()) {
      svg.line(x(tick.value()), y, x(tick.value()), y + 5, "stroke=\"#52606d\"");
      svg.text(
          x(tick.value()),
          y + 19,
          "text-anchor=\"middle\" font-size=\"11\" fill=\"#52606d\"",
          tick.label());
    }
    String label = usage.tookTime() ? "time since the beginning" : "cycle";
    svg.text((LEFT + WIDTH - RIGHT) / 2, y + 40, "text-anchor=\"middle\"", label);
  }

  private double position(Step step) {
    return usage.tookTime()
        ? Duration.between(usage.start(), step.time()).toMillis() / 1e3
        : step.cycle();
  }

  private double x(double value) {
    return LEFT + (WIDTH - LEFT - RIGHT) * (across.end() == 0 ? 0 : value / across.end());
  }

  private static double y(double value, Scale up, double top) {
    return top + PANEL * (1 - value / up.end());
  }
}
