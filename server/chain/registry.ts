/** The verdict registry: encodes records to calldata and decodes logs to records. */

export { decodeRecords } from "./decode";
export { encodeRecords, MAX_BATCH } from "./encode";
