/** The verdict registry: records to calldata, and logs back to records. */

export { decodeRecords } from "./decode";
export { encodeRecords, MAX_BATCH } from "./encode";
