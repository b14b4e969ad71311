/** The root of the REST door, which a catch-all segment does not match. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "./[...path]/route";
