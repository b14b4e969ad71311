import { isIP } from "node:net";
import { Agent, buildConnector } from "undici";
import { isAllowedAddress } from "./address-rules";
import { createGuardedLookup, type Lookup } from "./guarded-lookup";

export interface GuardedAgentOptions {
  allowLoopback?: boolean | undefined;
  /** Resolves host names; `createGuardedLookup()` by default. */
  lookup?: Lookup | undefined;
  /** Called with all addresses of a host before the connection, which its error prevents. */
  admit?: ((addresses: string[]) => Promise<void>) | undefined;
  /** For the connection, the response headers, and each wait for more of the body. */
  timeoutMs: number;
}

/**
 * Thrown if the address to connect to is not public. Its message doesn't contain the address, so it
 * is safe to publish.
 */
export class RefusedAddressError extends Error {
  override name = "RefusedAddress";
  readonly code = "REFUSED_ADDRESS";

  constructor() {
    super("the address is not a public one");
  }
}

/**
 * Creates an undici agent that checks the address it is about to connect to, whether that is part of
 * the URL or comes from DNS. The check and the connection share one lookup, which prevents DNS
 * rebinding. Refuses a host name if any of its addresses is not public. Use one agent per request
 * and destroy it afterwards, so that no connection is reused without a check.
 */
export function createGuardedAgent({
  allowLoopback,
  lookup = createGuardedLookup(),
  admit = async () => {},
  timeoutMs,
}: GuardedAgentOptions) {
  const connectAfterLookup = buildConnector({
    timeout: timeoutMs,
    lookup: (hostname, options, callback) => {
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        const firstAddress = addresses?.[0];
        if (error || !firstAddress) {
          callback(error ?? createNoAddressError(), []);
        } else if (!addresses.every(({ address }) => isAllowedAddress(address, allowLoopback))) {
          callback(new RefusedAddressError(), []);
        } else {
          admit(addresses.map(({ address }) => address)).then(
            () =>
              options.all
                ? callback(null, addresses)
                : callback(null, firstAddress.address, firstAddress.family),
            (refusal) => callback(refusal, []),
          );
        }
      });
    },
  });
  return new Agent({
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: (options, callback) => {
      // Without the brackets of an IPv6 address.
      const host = options.hostname.replace(/^\[|\]$/g, "");
      // Node calls `lookup` only for names, so an address in the URL is checked here.
      if (!isIP(host)) {
        connectAfterLookup(options, callback);
      } else if (!isAllowedAddress(host, allowLoopback)) {
        callback(new RefusedAddressError(), null);
      } else {
        admit([host]).then(
          () => connectAfterLookup(options, callback),
          (refusal) => callback(refusal, null),
        );
      }
    },
  });
}

function createNoAddressError(): NodeJS.ErrnoException {
  return Object.assign(new Error("the name has no address"), { code: "ENOTFOUND" });
}
