package dev.sluice.image;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * What an image is made of.
 *
 * @param jars of the program and its libraries, sorted by name
 * @param modules of the runtime
 * @param javaVersion of the runtime
 * @param packages of Debian
 */
record Ingredients(
    Instant created,
    List<Path> jars,
    SortedSet<String> modules,
    String javaVersion,
    List<DebianPackage> packages,
    Optional<SourceRevision> source) {}
