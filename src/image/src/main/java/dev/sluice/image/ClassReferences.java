package dev.sluice.image;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.MethodTypeEntry;
import java.lang.classfile.constantpool.NameAndTypeEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the types that a class names: all that the JVM can look for to link it. */
final class ClassReferences {
  /** The types in a descriptor of a field or method. */
  private static final Pattern TYPE = Pattern.compile("L([^;<]+)");

  private final NavigableSet<String> found = new TreeSet<>();

  private ClassReferences() {}

  /**
   * The internal names of classes and interfaces, as in {@code java/lang/String}.
   *
   * @param classFile the content of a class file
   * @throws IllegalArgumentException if that is no class file
   */
  static NavigableSet<String> of(byte[] classFile) {
    ClassReferences references = new ClassReferences();
    references.read(ClassFile.of().parse(classFile));
    return references.found;
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
      found.add(internalName);
    }
  }

  private void described(String descriptor) {
    Matcher types = TYPE.matcher(descriptor);
    while (types.find()) {
      found.add(types.group(1));
    }
  }
}
