// Checks the API's OpenAPI document with Spectral and Redocly: all of Spectral's OpenAPI rules, those of its
// OWASP set about rate limits, and Redocly's recommended ones. Prints each finding, and exits with 1 if there is one.
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral from "@stoplight/spectral-core";
import owasp from "@stoplight/spectral-owasp-ruleset";
import rulesets from "@stoplight/spectral-rulesets";
import { createApiDocument } from "@/packages/sdk/tests/api-document";

/** Headers on every response, and a documented 429. */
const RATE_LIMIT_RULES = Object.fromEntries(
  ["rate-limit", "rate-limit-retry-after", "rate-limit-responses-429"].map((rule) => [
    `owasp:api4:2023-${rule}`,
    true as const,
  ]),
);

async function lintWithSpectral(document: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({
    extends: [
      [rulesets.oas as never, "all"],
      [owasp as never, "off"],
    ],
    // Only the operator can name a contact.
    rules: { ...RATE_LIMIT_RULES, "info-contact": false },
  });
  const found = await linter.run(document);
  return found.map(({ code, path, message }) => `${code} ${path.join(".")}: ${message}`);
}

async function lintWithRedocly(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      // `/agents/by-erc8004/{id}` takes digits only, and `/agents/{walletAddress}/…` a wallet.
      "no-ambiguous-paths": "off",
      // It also refuses the host of local mode.
      "no-server-example.com": "off",
    },
  });
  const found = await lintFromString({ source, config });
  return found.map(
    ({ ruleId, location, message }) => `${ruleId} ${location[0]?.pointer}: ${message}`,
  );
}

// As in local mode: a host without a dot, and no contact.
const document = JSON.stringify(createApiDocument("http://localhost:3000"));
const findings = [...(await lintWithSpectral(document)), ...(await lintWithRedocly(document))];
for (const finding of findings) console.error(finding);
process.exitCode = findings.length === 0 ? 0 : 1;
