package handover;

import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test method its own lab as a parameter.
 *
 * <p>If this machine cannot make labs, the test is aborted with the reason. It fails instead if the
 * variable HANDOVER_REQUIRE_LAB is 1. If a test fails, a report of its lab is written to standard
 * error.
 */
public final class LabExtension
    implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(LabExtension.class);

  @LabOptions
  private static final class Default {}

  @Override
  public void beforeEach(ExtensionContext context) {
    var method = context.getRequiredTestMethod();
    if (!Arrays.asList(method.getParameterTypes()).contains(Lab.class)) return;
    var options = method.getAnnotation(LabOptions.class);
    if (options == null) options = context.getRequiredTestClass().getAnnotation(LabOptions.class);
    if (options == null) options = Default.class.getAnnotation(LabOptions.class);
    try {
      // The exception for an aborted test would count as a failure in resolveParameter.
      context.getStore(NAMESPACE).put(Lab.class, new Lab(options));
    } catch (LabException.Unavailable unavailable) {
      if ("1".equals(System.getenv("HANDOVER_REQUIRE_LAB"))) throw unavailable;
      Assumptions.abort(unavailable.getMessage());
    }
  }

  @Override
  public void afterEach(ExtensionContext context) {
    var lab = context.getStore(NAMESPACE).remove(Lab.class, Lab.class);
    if (lab == null) return;
    if (context.getExecutionException().isPresent()) {
      System.err.println("Handover:\n" + lab.report());
    }
    lab.close();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Lab.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context.getStore(NAMESPACE).get(Lab.class);
  }
}
