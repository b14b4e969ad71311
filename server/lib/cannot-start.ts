/** A sentence for the person who started the service; nothing of it is a fault of the code. */
export class CannotStart extends Error {
  override name = "CannotStart";
}
