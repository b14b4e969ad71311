import { describe, expect, test } from "vitest";
import { parseEnv } from "./env";

const KEY = `0x${"5".repeat(64)}`;
const ADDRESS = `0x${"6".repeat(40)}`;
const CHAIN = {
  CHAIN_RPC_URL: "http://127.0.0.1:8545",
  REGISTRY_ADDRESS: ADDRESS,
  USDC_ADDRESS: ADDRESS,
  RECORDER_KEY: `0x${"33".repeat(32)}`,
  STAKE_KEY: `0x${"4b".repeat(32)}`,
};

describe("the public URL", () => {
  const configure = (env: Record<string, string>) => () => parseEnv(env);

  test.each(["0.0.0.0", "::", "10.0.0.1", "standing.example", "127.evil.example"])(
    "is required with a configured chain if the host is %s",
    (HOST) => {
      expect(configure({ ...CHAIN, HOST })).toThrow(/^PUBLIC_URL: is needed when CHAIN_RPC_URL/m);
      expect(configure({ ...CHAIN, HOST, PUBLIC_URL: "https://a.example" })).not.toThrow();
      expect(configure({ HOST })).not.toThrow();
    },
  );

  test.each([
    ["https://standing.example/", "https://standing.example"],
    ["https://Standing.Example:443", "https://standing.example"],
    ["http://10.0.0.1:3000", "http://10.0.0.1:3000"],
  ])("%s becomes the origin that browsers send", (PUBLIC_URL, origin) => {
    expect(parseEnv({ PUBLIC_URL }).PUBLIC_URL).toBe(origin);
  });

  test.each(["/standing", "//", "/?a=1", "/#a", "/a/"])(
    "stops the start if it ends in %s",
    (end) => {
      const message = /^PUBLIC_URL: must be only a scheme and a host.* use a host of its own$/m;
      expect(configure({ PUBLIC_URL: `https://a.example${end}` })).toThrow(message);
      expect(configure({ PUBLIC_URL: "https://me:secret@a.example" })).toThrow(message);
      expect(configure({ PUBLIC_URL: "a.example" })).toThrow(/^PUBLIC_URL: Invalid URL$/m);
    },
  );

  test.each(["127.0.0.1", "127.1.2.3", "::1", "localhost"])("is optional on %s", (HOST) => {
    expect(configure({ ...CHAIN, HOST })).not.toThrow();
  });
});

describe("the key of score statements", () => {
  test("is optional, and comes with the address of its gate on a configured chain", () => {
    expect(parseEnv({}).STATEMENT_TTL).toBe(86_400_000);
    expect(parseEnv(CHAIN).STATEMENT_KEY).toBeUndefined();
    const configured = { ...CHAIN, STATEMENT_KEY: KEY, SCORE_GATE_ADDRESS: ADDRESS };
    expect(parseEnv(configured)).toMatchObject({ STATEMENT_KEY: KEY, SCORE_GATE_ADDRESS: ADDRESS });
    expect(parseEnv({ STATEMENT_KEY: KEY }).STATEMENT_KEY).toBe(KEY);
  });

  test.each([
    ["is no key", { STATEMENT_KEY: "0x12" }, /^STATEMENT_KEY: must be 0x and 64 hex/m],
    ["is zero", { STATEMENT_KEY: `0x${"0".repeat(64)}` }, /^STATEMENT_KEY: is not a private key$/m],
    [
      "exceeds the curve",
      { STATEMENT_KEY: `0x${"f".repeat(64)}` },
      /STATEMENT_KEY: is not a private/,
    ],
    [
      "lacks its gate",
      { ...CHAIN, STATEMENT_KEY: KEY },
      /^SCORE_GATE_ADDRESS: is needed when STATE/m,
    ],
    [
      "is missing for a gate",
      { ...CHAIN, SCORE_GATE_ADDRESS: ADDRESS },
      /^STATEMENT_KEY: is needed when SCORE_GATE_ADDRESS is set$/m,
    ],
    [
      "has another purpose too",
      {
        ...CHAIN,
        STATEMENT_KEY: CHAIN.STAKE_KEY.toUpperCase().replace("X", "x"),
        SCORE_GATE_ADDRESS: ADDRESS,
      },
      /^STATEMENT_KEY: must differ from RECORDER_KEY and STAKE_KEY/m,
    ],
  ])("stops the start if it %s", (_, env, message) => {
    expect(() => parseEnv(env)).toThrow(message);
  });

  test.each(["0s", "59s", "31d", "1 day"])("stops the start if its validity is %s", (ttl) => {
    expect(() => parseEnv({ STATEMENT_TTL: ttl })).toThrow(/^STATEMENT_TTL: /m);
  });
});

test("e-mail needs a server and a sender", () => {
  const SMTP_URL = "smtps://user:secret@mail.example";
  const MAIL_FROM = "Standing <alerts@standing.example>";
  expect(parseEnv({ SMTP_URL, MAIL_FROM })).toMatchObject({ SMTP_URL, MAIL_FROM });
  expect(() => parseEnv({ SMTP_URL })).toThrow(/^MAIL_FROM: is needed when SMTP_URL is set/m);
  expect(() => parseEnv({ MAIL_FROM })).toThrow(/^SMTP_URL: is needed when MAIL_FROM is set/m);
  for (const wrong of [
    "Standing",
    "a@b.example\nBcc: c@d.example",
    "A <a@b.example>, c@d.example",
  ]) {
    expect(() => parseEnv({ SMTP_URL, MAIL_FROM: wrong })).toThrow(/^MAIL_FROM: must be/m);
  }
});
