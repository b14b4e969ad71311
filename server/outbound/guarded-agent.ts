import { isIP } from "node:net";
import { Agent, buildConnector } from "undici";
import { guardedLookup, type Lookup } from "./guarded-lookup";
import { isCallable } from "./public-address";

export interface AgentOptions {
  allowLoopback?: boolean | undefined;
  lookup?: Lookup | undefined;
  timeoutMs: number;
}

/** The address to connect to is not public. Carries no address, so it may be published. */
export class RefusedAddress extends Error {
  override name = "RefusedAddress";
  readonly code = "REFUSED_ADDRESS";

  constructor() {
    super("the address is not a public one");
  }
}

/**
 * Creates an undici agent that checks the address it is about to connect to, whether it is in the
 * URL or came from DNS. The check and the connection share one lookup, so DNS rebinding gains
 * nothing. One address that is not public refuses the whole name. Create it for one request and
 * destroy it afterwards, so that no connection outlives its check.
 */
export function guardedAgent({ allowLoopback, lookup = guardedLookup(), timeoutMs }: AgentOptions) {
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: (hostname, options, callback) => {
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        const first = addresses?.[0];
        if (error || !first) {
          callback(error ?? noAnswer(), []);
        } else if (!addresses.every(({ address }) => isCallable(address, allowLoopback))) {
          callback(new RefusedAddress(), []);
        } else if (options.all) {
          callback(null, addresses);
        } else {
          callback(null, first.address, first.family);
        }
      });
    },
  });
  return new Agent({
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: (options, callback) => {
      const host = options.hostname.replace(/^\[|\]$/g, "");
      // Node does no lookup for a literal address.
      if (isIP(host) && !isCallable(host, allowLoopback)) callback(new RefusedAddress(), null);
      else connect(options, callback);
    },
  });
}

function noAnswer(): NodeJS.ErrnoException {
  return Object.assign(new Error("the name has no address"), { code: "ENOTFOUND" });
}
