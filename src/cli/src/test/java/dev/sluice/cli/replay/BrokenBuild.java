package dev.sluice.cli.replay;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A build of this program with one rule broken: a condition in a method has the opposite effect.
 * Its classes are its own, those of libraries are shared.
 */
final class BrokenBuild extends ClassLoader {
  private static final String OURS = "dev.sluice.";

  private final String broken;
  private final String method;
  private final int condition;
  private final AtomicInteger inverted = new AtomicInteger();

  /**
   * A build with that condition inverted.
   *
   * @param broken the binary name of the class
   * @param condition its index among the conditional jumps of the methods of that name
   */
  BrokenBuild(String broken, String method, int condition) {
    super(BrokenBuild.class.getClassLoader());
    this.broken = broken;
    this.method = method;
    this.condition = condition;
  }

  /** How many conditions were inverted so far: 1 once the class is loaded. */
  int inverted() {
    return inverted.get();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      if (!name.startsWith(OURS)) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      byte[] built = name.equals(broken) ? invert(bytes) : bytes;
      return defineClass(name, built, 0, built.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private byte[] invert(byte[] bytes) {
    ClassFile files = ClassFile.of();
    var seen = new AtomicInteger();
    CodeTransform code = (builder, element) -> invert(builder, element, seen);
    return files.transformClass(
        files.parse(bytes), ClassTransform.transformingMethodBodies(this::isMeant, code));
  }

  private boolean isMeant(MethodModel model) {
    return model.methodName().equalsString(method);
  }

  private void invert(CodeBuilder builder, CodeElement element, AtomicInteger seen) {
    if (element instanceof BranchInstruction jump
        && isConditional(jump.opcode())
        && seen.getAndIncrement() == condition) {
      inverted.incrementAndGet();
      builder.branch(opposite(jump.opcode()), jump.target());
    } else {
      builder.with(element);
    }
  }

  private static boolean isConditional(Opcode opcode) {
    return opcode != Opcode.GOTO && opcode != Opcode.GOTO_W;
  }

  private static Opcode opposite(Opcode opcode) {
    return switch (opcode) {
      case IFEQ -> Opcode.IFNE;
      case IFNE -> Opcode.IFEQ;
      case IFLT -> Opcode.IFGE;
      case IFGE -> Opcode.IFLT;
      case IFGT -> Opcode.IFLE;
      case IFLE -> Opcode.IFGT;
      case IF_ICMPEQ -> Opcode.IF_ICMPNE;
      case IF_ICMPNE -> Opcode.IF_ICMPEQ;
      case IF_ICMPLT -> Opcode.IF_ICMPGE;
      case IF_ICMPGE -> Opcode.IF_ICMPLT;
      case IF_ICMPGT -> Opcode.IF_ICMPLE;
      case IF_ICMPLE -> Opcode.IF_ICMPGT;
      case IF_ACMPEQ -> Opcode.IF_ACMPNE;
      case IF_ACMPNE -> Opcode.IF_ACMPEQ;
      case IFNULL -> Opcode.IFNONNULL;
      case IFNONNULL -> Opcode.IFNULL;
      default -> throw new IllegalArgumentException(opcode.toString());
    };
  }
}
