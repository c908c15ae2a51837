package dev.sluice.image;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the modules of the running JDK whose types the classes of jars name. The descriptors of
 * modules that some jars have are not read: they name modules that are optional to us. For one
 * thread.
 */
final class NeededModules {
  /** The types in a descriptor of a field or method. */
  private static final Pattern TYPE = Pattern.compile("L([^;<]+)");

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
    try (JarFile file = new JarFile(jar.toFile(), false)) {
      for (JarEntry entry : Collections.list(file.entries())) {
        String name = entry.getName();
        if (name.endsWith(".class") && !name.startsWith("META-INF/") && !name.contains("-info.")) {
          try (InputStream in = file.getInputStream(entry)) {
            read(ClassFile.of().parse(in.readAllBytes()));
          } catch (IllegalArgumentException e) {
            throw new ImageException(jar + ": " + name + ": " + e.getMessage());
          }
        }
      }
    }
  }

  private void read(ClassModel model) {
    for (PoolEntry entry : model.constantPool()) {
      switch (entry) {
        case ClassEntry it -> named(it.asInternalName());
        case NameAndTypeEntry it -> described(it.type().stringValue());
        case MethodTypeEntry it -> described(it.descriptor().stringValue());
        default -> {}
      }
    }
    model.fields().forEach(it -> described(it.fieldType().stringValue()));
    model.methods().forEach(it -> described(it.methodType().stringValue()));
  }

  /** The name of a class or interface, or the descriptor of an array. */
  private void named(String internalName) {
    if (internalName.startsWith("[")) {
      described(internalName);
    } else {
      note(internalName);
    }
  }

  private void described(String descriptor) {
    Matcher types = TYPE.matcher(descriptor);
    while (types.find()) {
      note(types.group(1));
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
