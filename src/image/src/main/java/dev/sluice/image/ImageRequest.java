package dev.sluice.image;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * The image that is wanted.
 *
 * @param program the folder with the packaged server: its jar, and its libraries in {@code lib}
 * @param jdk the JDK whose modules become the runtime
 * @param output the archive; bill of materials and provenance are written beside it
 * @param name name and tag, such as {@code sluice:0.1.0}
 * @param architecture as Go names it
 * @param base which versions of Debian's packages it has
 * @param startCaches whether it has files from which classes are loaded quickly
 * @param created the time that stands everywhere in it; without it that of the program's jar
 */
public record ImageRequest(
    Path program,
    Path jdk,
    Path output,
    String name,
    String architecture,
    Base base,
    boolean startCaches,
    Optional<Instant> created) {}
