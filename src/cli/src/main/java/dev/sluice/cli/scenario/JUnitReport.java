package dev.sluice.cli.scenario;

import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Results in the form of JUnit that CI systems show. */
final class JUnitReport {
  private JUnitReport() {}

  /** The document. */
  static String of(List<ScenarioResult> results, Duration took) {
    var text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeCharacters("\n");
      writeSuite(xml, results, took);
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("XML cannot be written in memory", e);
    }
    return text.append("\n").toString();
  }

  private static void writeSuite(XMLStreamWriter xml, List<ScenarioResult> results, Duration took)
      throws XMLStreamException {
    xml.writeStartElement("testsuite");
    xml.writeAttribute("name", "sluice");
    xml.writeAttribute("tests", String.valueOf(results.size()));
    xml.writeAttribute("failures", count(results.stream().filter(JUnitReport::differs).count()));
    xml.writeAttribute("errors", count(results.stream().filter(JUnitReport::broke).count()));
    xml.writeAttribute("time", seconds(took));
    for (ScenarioResult result : results) {
      xml.writeCharacters("\n  ");
      writeCase(xml, result);
    }
    xml.writeCharacters("\n");
    xml.writeEndElement();
  }

  private static void writeCase(XMLStreamWriter xml, ScenarioResult result)
      throws XMLStreamException {
    xml.writeStartElement("testcase");
    xml.writeAttribute("classname", result.place());
    xml.writeAttribute("name", printable(result.name()));
    xml.writeAttribute("time", seconds(result.took()));
    if (!result.passed()) {
      xml.writeStartElement(broke(result) ? "error" : "failure");
      xml.writeAttribute("message", printable(firstLine(result.report())));
      xml.writeCharacters(printable(result.report()));
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  private static boolean broke(ScenarioResult result) {
    return !result.problem().isEmpty();
  }

  private static boolean differs(ScenarioResult result) {
    return !broke(result) && !result.passed();
  }

  private static String firstLine(String report) {
    return report.strip().lines().findFirst().orElse("");
  }

  /** XML has no form at all for control characters. */
  private static String printable(String text) {
    return text.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "?");
  }

  private static String count(long count) {
    return String.valueOf(count);
  }

  private static String seconds(Duration took) {
    return String.format(Locale.ROOT, "%.3f", took.toNanos() / 1e9);
  }
}
