import { isIP } from "node:net";
import { Agent, buildConnector } from "undici";
import { guardedLookup, type Lookup } from "./guarded-lookup";
import { isCallable } from "./public-address";

export interface AgentOptions {
  allowLoopback?: boolean | undefined;
  lookup?: Lookup | undefined;
  timeoutMs: number;
}

/** The address that was about to be called is not public. Carries no address: it may be published. */
export class RefusedAddress extends Error {
  override name = "RefusedAddress";
  readonly code = "REFUSED_ADDRESS";

  constructor() {
    super("the address is not a public one");
  }
}

/**
 * An undici agent that checks the address it is about to connect to, whether it stands in the URL
 * or came from DNS. The check and the connection share one lookup, so a name that changes its
 * answer in between gains nothing. One answer that is not public refuses the whole name.
 * Made for one request and destroyed after it, so that no connection outlives its check.
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
      // Node asks no lookup for an address that is written out.
      if (isIP(host) && !isCallable(host, allowLoopback)) callback(new RefusedAddress(), null);
      else connect(options, callback);
    },
  });
}

function noAnswer(): NodeJS.ErrnoException {
  return Object.assign(new Error("the name has no address"), { code: "ENOTFOUND" });
}
