interface Caller {
  /** Base URL of the service, without a trailing slash. */
  origin: string;
  apiKey: string;
  walletAddress: string;
}

/** Returns a curl command that submits a sample outcome, which every judge can assess, with this key and wallet. */
export function buildFirstCall({ origin, apiKey, walletAddress }: Caller): string {
  const body = {
    requesterAgentAddress: "0x000000000000000000000000000000000000dEaD",
    title: "Sum of two numbers",
    taskDescription:
      "Write a JavaScript function add(a, b) that returns the sum: add(2, 3) returns 5.",
    taskCategory: "code-review",
    deliverableContent: "function add(a, b) { return a + b; }",
    valueUsdc: 1,
    contractorAgentAddress: walletAddress,
  };
  return [
    `curl ${origin}/api/v1/outcome \\`,
    `  -H 'X-API-Key: ${apiKey}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(body, null, 2)}'`,
  ].join("\n");
}
