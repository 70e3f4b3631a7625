package handover;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The lab of a test method, or of all methods of a class. */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface LabOptions {
  /** The first network: wifi, cellular or hotspot. */
  String network() default "wifi";

  /** Shell commands that start servers of yours in the lab. */
  String[] server() default {};

  /** The qualities of media, such as wifi:delay=80ms. */
  String[] condition() default {};

  /** The longest time of the lab. */
  String until() default "10min";
}
