package io.krypton.cli.view;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.krypton.api.deployment.KryptonDeployment;
import io.krypton.api.tenant.Tenant;
import java.util.List;

/** Reads Tenants and KryptonDeployments by name. */
public final class RolloutObjects {
  private RolloutObjects() {}

  /** Fails, with the remedy, if there is no such object or no such kind. */
  public static RolloutObject get(Session session, ObjectName name) {
    var found = resource(session, name).get();
    if (found == null) {
      ApiErrors.requireServed(session, List.of(name.kind().plural()));
      throw UserError.failure(
          "%s is not in namespace %s of %s; name its namespace with -n"
              .formatted(name, session.namespace(), session.context()));
    }
    return RolloutObject.of(found);
  }

  /** For changes. */
  public static Resource<? extends HasMetadata> resource(Session session, ObjectName name) {
    var type = name.kind() == ObjectKind.TENANT ? Tenant.class : KryptonDeployment.class;
    return session.client().resources(type).inNamespace(session.namespace()).withName(name.name());
  }
}
