package dev.sluice.cli.migrate;

import dev.sluice.api.ApiKind;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a kind by its name or plural, in any case. */
final class ApiKindConverter implements ITypeConverter<ApiKind> {
  @Override
  public ApiKind convert(String text) {
    return Arrays.stream(ApiKind.values())
        .filter(kind -> text.equalsIgnoreCase(kind.kind()) || text.equalsIgnoreCase(kind.plural()))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'%s' (expected: one of %s)"
                        .formatted(
                            text,
                            Arrays.stream(ApiKind.values())
                                .map(ApiKind::kind)
                                .collect(Collectors.joining(", ")))));
  }
}
