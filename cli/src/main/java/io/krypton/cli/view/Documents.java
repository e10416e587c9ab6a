package io.krypton.cli.view;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** What {@code -o json} and {@code -o yaml} print. */
public final class Documents {
  private Documents() {}

  /** Indented, as kubectl does. */
  public static String json(KubernetesSerialization serialization, Object document) {
    var mapper = new JsonMapper();
    try {
      return mapper
          .writerWithDefaultPrettyPrinter()
          .writeValueAsString(mapper.readTree(serialization.asJson(document)));
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("JSON that was just written cannot be read", impossible);
    }
  }

  public static String yaml(KubernetesSerialization serialization, Object document) {
    return serialization.asYaml(document).replaceFirst("^---\n", "").stripTrailing();
  }
}
