/** Why an outbound request got no usable response. Stable: shown in delivery logs. */
export type FailureClass =
  | "timeout"
  | "refused-address"
  | "connection"
  | "redirect"
  | "tls"
  | "dns"
  | "too-large"
  | "invalid-url"
  | "status"
  | "media-type";

const BY_CODE: Record<string, FailureClass> = {
  REFUSED_ADDRESS: "refused-address",
  ENOTFOUND: "dns",
  ENODATA: "dns",
  EAI_AGAIN: "dns",
  EAI_FAIL: "dns",
  ETIMEOUT: "dns",
  UND_ERR_HEADERS_OVERFLOW: "too-large",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  ETIMEDOUT: "timeout",
  EPROTO: "tls",
};

const TLS_CODE = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HOSTNAME_MISMATCH)/;

/** Classifies what a request threw: the error, its cause, or one of several attempts. */
export function failureClass(error: unknown): FailureClass {
  if (!(error instanceof Error)) return "connection";
  if (error.name === "TimeoutError") return "timeout";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (BY_CODE[code]) return BY_CODE[code];
  if (TLS_CODE.test(code)) return "tls";
  if (error instanceof AggregateError && error.errors.length > 0) {
    return failureClass(error.errors[0]);
  }
  return error.cause ? failureClass(error.cause) : "connection";
}
