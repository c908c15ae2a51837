package dev.sluice.cli.report;

import dev.sluice.quota.amount.FlavorResource;
import dev.sluice.server.program.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Prices of an hour.
 *
 * @param byName of a resource, or of a flavor and a resource with a slash between
 */
record Prices(Map<String, Double> byName) {
  static final Prices NONE = new Prices(Map.of());

  Prices {
    byName = Map.copyOf(byName);
  }

  /**
   * Reads lines such as {@code nvidia.com/gpu: 2.5}.
   *
   * @throws CommandException naming the line that is none
   */
  static Prices read(Path file) {
    Map<String, Double> prices = new TreeMap<>();
    try {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i).replaceFirst("(^|\\s)#.*", "").strip();
        int colon = line.lastIndexOf(':');
        if (!line.isEmpty()) {
          prices.put(name(line, colon, file, i + 1), price(line, colon, file, i + 1));
        }
      }
    } catch (IOException e) {
      throw new CommandException(file + ": cannot be read: " + e.getMessage(), e);
    }
    return new Prices(prices);
  }

  private static String name(String line, int colon, Path file, int number) {
    if (colon < 1) {
      throw wrong(line, file, number);
    }
    return line.substring(0, colon).strip().replaceAll("^[\"']|[\"']$", "");
  }

  private static double price(String line, int colon, Path file, int number) {
    try {
      double price = Double.parseDouble(line.substring(colon + 1).strip());
      if (Double.isFinite(price) && price >= 0) {
        return price;
      }
    } catch (NumberFormatException _) {
      // the same answer
    }
    throw wrong(line, file, number);
  }

  private static CommandException wrong(String line, Path file, int number) {
    return new CommandException(
        "%s:%d: '%s' (expected: a resource and a price, such as nvidia.com/gpu: 2.5)"
            .formatted(file, number, line));
  }

  boolean isEmpty() {
    return byName.isEmpty();
  }

  /** The price of so many hours; 0 for what has none. */
  double of(FlavorResource pair, double hours) {
    Double ofFlavor = byName.get(pair.flavor() + "/" + pair.resource());
    return hours * (ofFlavor == null ? byName.getOrDefault(pair.resource(), 0.0) : ofFlavor);
  }
}
