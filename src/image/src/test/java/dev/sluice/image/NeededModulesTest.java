package dev.sluice.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which modules of the JDK are linked for the classes of jars. */
class NeededModulesTest {
  @TempDir private Path folder;

  private Path jar(String entry, byte[] content) throws IOException {
    Path jar = Files.createTempFile(folder, "some", ".jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry(entry));
      out.write(content);
    }
    return jar;
  }

  /** A class that names modules in each way that a class can. */
  private static byte[] aClass() {
    return ClassFile.of()
        .build(
            ClassDesc.of("some.Thing"),
            it ->
                it.withField("connection", ClassDesc.of("java.sql.Connection"), 0)
                    .withField("loggers", ClassDesc.of("java.util.logging.Logger").arrayType(), 0)
                    .withMethod(
                        "send",
                        MethodTypeDesc.of(
                            ConstantDescs.CD_void, ClassDesc.of("java.net.http.HttpRequest")),
                        ClassFile.ACC_ABSTRACT,
                        _ -> {})
                    .withMethodBody(
                        "call",
                        ConstantDescs.MTD_void,
                        ClassFile.ACC_STATIC,
                        code ->
                            code.invokestatic(
                                    ClassDesc.of("some.Other"),
                                    "beans",
                                    MethodTypeDesc.of(
                                        ClassDesc.of("java.lang.management.MemoryMXBean")))
                                .pop()
                                .return_()));
  }

  @Test
  void typesOfFieldsArraysMethodsAndCallsAreFound() throws IOException {
    assertThat(NeededModules.of(List.of(jar("some/Thing.class", aClass()))))
        .containsExactly(
            "java.base", "java.logging", "java.management", "java.net.http", "java.sql");
  }

  @Test
  void classesForOtherReleasesAndDescriptorsOfModulesAreNotRead() throws IOException {
    Path versions = jar("META-INF/versions/99/some/Thing.class", aClass());
    Path descriptor = jar("module-info.class", new byte[] {1});

    assertThat(NeededModules.of(List.of(versions, descriptor))).isEmpty();
  }

  @Test
  void aClassThatCannotBeReadIsNamedWithItsJar() throws IOException {
    Path broken = jar("some/Thing.class", new byte[] {1, 2, 3});

    assertThatThrownBy(() -> NeededModules.of(List.of(broken)))
        .isInstanceOf(ImageException.class)
        .hasMessageContaining(broken + ": some/Thing.class");
  }
}
