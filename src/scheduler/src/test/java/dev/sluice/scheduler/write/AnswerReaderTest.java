package dev.sluice.scheduler.write;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class AnswerReaderTest {
  private final AnswerReader reader = new AnswerReader();

  private JsonNode read(String json) throws IOException {
    return reader.read(json.replace('\'', '"').getBytes(UTF_8));
  }

  @Test
  void readsAllButWhoManagesWhat() throws IOException {
    JsonNode read =
        read(
            "{'kind':'W','metadata':{'name':'a','managedFields':[{'manager':'m'}],'uid':'u'},"
                + "'spec':{'managedFields':1,'list':[1,2.5,true,null,{}]}}");

    assertThat(read)
        .hasToString(
            "{'kind':'W','metadata':{'name':'a','uid':'u'},'spec':{'managedFields':1,'list':[1,2.5,true,null,{}]}}"
                .replace('\'', '"'));
  }

  @Test
  void anEmptyBodyIsNoObject() throws IOException {
    assertThat(read("").isMissingNode()).isTrue();
  }

  @Test
  void refusesWhatIsNoJsonAndGoesOn() throws IOException {
    assertThatThrownBy(() -> read("{'a':")).isInstanceOf(IOException.class);

    assertThat(read("{'a':1}").path("a").asInt()).isEqualTo(1);
  }
}
