package dev.sluice.conversion.review;

import static dev.sluice.api.ApiKind.COHORT;
import static dev.sluice.api.ApiVersion.V1BETA1;
import static dev.sluice.api.ApiVersion.V1BETA2;
import static dev.sluice.conversion.Conversions.object;
import static dev.sluice.conversion.review.Reviews.review;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.conversion.Converter;
import dev.sluice.conversion.Outcome;
import dev.sluice.conversion.step.Mode;
import dev.sluice.json.Json;
import dev.sluice.json.JsonOutput;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReviewMemoryTest {

  @Test
  void keepsNoObjectAsATreeOnceItIsWritten() throws Exception {
    String cohort =
        object(
            COHORT,
            V1BETA1,
            "'metadata':{},'spec':{'parentName':'p'},'status':{'fairSharing':"
                + "{'admissionFairSharingStatus':{'x':'%s'}}}".formatted("y".repeat(2_000)));
    String text = review(V1BETA2, Collections.nCopies(10_000, cohort));
    ConversionRequest request = ConversionRequest.read(text.getBytes(UTF_8), Reviews.SYNTAX);
    List<WeakReference<Json>> trees = new ArrayList<>();
    ConversionListener listener =
        new ConversionListener() {
          @Override
          public void finished(Outcome outcome, int bytes) {
            if (outcome instanceof Outcome.Converted converted) {
              trees.add(new WeakReference<>(converted.object()));
            }
          }
        };

    JsonOutput answer =
        new ReviewConverter(new Converter(Mode.CARRY), 1 << 30)
            .answer(request, listener, () -> false);
    System.gc();

    assertThat(trees).hasSize(10_000).allMatch(tree -> tree.refersTo(null));
    assertThat(request.objects().size()).isEqualTo(10_000); // both are still in memory
    assertThat(answer.length()).isGreaterThan(20_000_000);
  }
}
