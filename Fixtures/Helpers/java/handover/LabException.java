package handover;

/** The lab failed, or a request was not accepted. */
public class LabException extends RuntimeException {
  private static final long serialVersionUID = 1;

  LabException(String message) {
    super(message);
  }

  /** This machine cannot make a lab; the message is the reason. */
  public static final class Unavailable extends LabException {
    private static final long serialVersionUID = 1;

    Unavailable(String message) {
      super(message);
    }
  }
}
