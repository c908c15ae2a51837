package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * The page about the architecture shows the modules as Maven builds them. That no class uses a
 * module that is not declared, and that none is declared in vain, is checked by the build itself.
 */
class ModuleGraphTest {
  private static final ModuleTable TABLE = ModuleTable.read();

  @Test
  void theTableHasTheModulesOfTheBuild() throws Exception {
    List<String> built = new ArrayList<>();
    for (Element module : elements(pom("."), "module")) {
      built.add(module.getTextContent());
    }
    assertThat(TABLE.folders().values()).containsExactlyInAnyOrderElementsOf(built);
  }

  @Test
  void theTableHasTheDependenciesThatTheModulesDeclare() throws Exception {
    Map<String, Set<String>> declared = new TreeMap<>();
    for (Map.Entry<String, String> module : TABLE.folders().entrySet()) {
      declared.put(module.getKey(), dependencies(pom(module.getValue())));
    }
    assertThat(new TreeMap<>(TABLE.knows())).isEqualTo(declared);
  }

  @Test
  void thePictureHasEachArrowThatDoesNotFollowFromOthers() {
    assertThat(new TreeMap<>(TABLE.picture())).isEqualTo(new TreeMap<>(TABLE.reduced()));
  }

  private static Element pom(String folder) throws Exception {
    Path file = ModuleTable.ROOT.resolve(folder).resolve("pom.xml");
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(file.toFile())
        .getDocumentElement();
  }

  private static List<Element> elements(Element parent, String name) {
    List<Element> elements = new ArrayList<>();
    NodeList nodes = parent.getElementsByTagName(name);
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  /** The modules that main code is compiled with. */
  private static Set<String> dependencies(Element pom) {
    Set<String> modules = new TreeSet<>();
    for (Element dependency : elements(pom, "dependency")) {
      Node list = dependency.getParentNode();
      boolean isOurs = text(dependency, "groupId").equals("dev.sluice");
      if (pom.isSameNode(list.getParentNode()) && isOurs && text(dependency, "scope").isEmpty()) {
        modules.add(text(dependency, "artifactId").substring("sluice-".length()));
      }
    }
    return modules;
  }

  private static String text(Element element, String child) {
    List<Element> children = elements(element, child);
    return children.isEmpty() ? "" : children.getFirst().getTextContent();
  }
}
