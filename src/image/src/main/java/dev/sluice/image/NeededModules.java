package dev.sluice.image;

import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * Finds the modules of the running JDK whose types the classes of jars name. The descriptors of
 * modules that some jars have are not read: they name modules that are optional to us. For one
 * thread.
 */
final class NeededModules {
  private final Map<String, String> moduleOfPackage = new HashMap<>();
  private final NavigableSet<String> found = new TreeSet<>();

  private NeededModules() {
    ModuleFinder.ofSystem()
        .findAll()
        .forEach(
            module ->
                module
                    .descriptor()
                    .packages()
                    .forEach(it -> moduleOfPackage.put(it, module.descriptor().name())));
  }

  /**
   * The names of the modules.
   *
   * @throws IOException if a jar cannot be read
   * @throws ImageException if a class cannot
   */
  static NavigableSet<String> of(List<Path> jars) throws IOException {
    NeededModules modules = new NeededModules();
    for (Path jar : jars) {
      modules.read(jar);
    }
    return modules.found;
  }

  private void read(Path jar) throws IOException {
    JarClasses classes = JarClasses.of(jar);
    for (String name : classes.contents().keySet()) {
      classes.references(name).forEach(this::note);
    }
  }

  private void note(String type) {
    int end = type.lastIndexOf('/');
    String module = end < 0 ? null : moduleOfPackage.get(type.substring(0, end).replace('/', '.'));
    if (module != null) {
      found.add(module);
    }
  }
}
