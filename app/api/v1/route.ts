/** Serves the REST root, which a catch-all segment does not match. */
export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "./[...path]/route";
