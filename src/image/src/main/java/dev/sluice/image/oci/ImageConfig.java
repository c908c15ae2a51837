package dev.sluice.image.oci;

import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/**
 * What an image says of itself beside its files.
 *
 * @param name name and tag, such as {@code sluice:0.1.0}
 * @param architecture as Go names it, such as {@code amd64}
 * @param created the time that stands everywhere in the archive
 * @param user the user, as {@code UID:GID}
 * @param entryPoint the program and its first arguments
 * @param arguments further ones, where a container names none
 * @param environment variables as {@code NAME=VALUE}
 * @param ports that it listens on, such as {@code 9443/tcp}
 * @param labels what the image is, by the annotation keys of the OCI
 */
public record ImageConfig(
    String name,
    String architecture,
    Instant created,
    String user,
    List<String> entryPoint,
    List<String> arguments,
    List<String> environment,
    List<String> ports,
    SortedMap<String, String> labels) {}
