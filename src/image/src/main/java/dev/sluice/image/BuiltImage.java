package dev.sluice.image;

import dev.sluice.image.oci.WrittenImage;
import java.nio.file.Path;

/**
 * An image and the files beside it.
 *
 * @param archive the OCI archive
 * @param bill its bill of materials
 * @param provenance what it was built of, and how
 */
public record BuiltImage(WrittenImage image, Path archive, Path bill, Path provenance) {}
