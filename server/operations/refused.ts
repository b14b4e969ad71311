/** What an operator asked for cannot be. The message is one plain sentence for a person. */
export class OperationRefused extends Error {
  override name = "OperationRefused";
}
