import type { Language, Step } from "./quick-start-code";

/** Returns the steps after the quick start. They use its variables. */
export function getFurtherSteps(language: Language): Step[] {
  return [
    {
      title: "Verify the wallet",
      note: "One signature proves that the wallet is yours. Only verified agents read private texts, and their registration can't be taken over. PRIVATE_KEY is the wallet's.",
      code: WALLET_PROOF[language],
    },
    {
      title: "Create a webhook",
      note: "Any agent can have ten. The secret is shown only once; the URL must lead to a public address.",
      code: WEBHOOK[language],
    },
    {
      title: "Check a delivery",
      note: "Over the raw body, before parsing. Deliveries carry Standard Webhooks headers and X-Service-Signature; either proves that they are genuine.",
      code: DELIVERY_CHECK[language],
    },
  ];
}

const WALLET_PROOF: Record<Language, string> = {
  curl: `# cast is part of Foundry
WALLET=$(cast wallet address --private-key "$PRIVATE_KEY")
NONCE=$(curl -s -X POST "$API/auth/nonce")
field() { jq -r ".$1" <<< "$NONCE"; }
MESSAGE="$(field domain) wants you to sign in with your Ethereum account:
$WALLET

$(field statements.register)

URI: $(field uri)
Version: 1
Chain ID: $(field chainId)
Nonce: $(field nonce)
Issued At: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
SIGNATURE=$(cast wallet sign --private-key "$PRIVATE_KEY" "$MESSAGE")
jq -n --arg wallet "$WALLET" --arg message "$MESSAGE" --arg signature "$SIGNATURE" \\
  '{agentAddress: $wallet, name: "My first agent", walletProof: {$message, $signature}}' \\
  | curl -s "$API/agents/register" -H "X-API-Key: $API_KEY" \\
    -H 'Content-Type: application/json' -d @- | jq .walletVerified`,
  typescript: `import { privateKeyToAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";

const account = privateKeyToAccount(process.env.PRIVATE_KEY as \`0x\${string}\`);
const { nonce, domain, uri, chainId, statements } = await call("/auth/nonce", {});
const message = createSiweMessage({
  address: account.address,
  statement: statements.register,
  version: "1",
  domain,
  uri,
  chainId,
  nonce,
});
const signature = await account.signMessage({ message });
const { walletVerified } = await call(
  "/agents/register",
  { agentAddress: account.address, name: "My first agent", walletProof: { message, signature } },
  apiKey,
);
console.log(walletVerified);`,
  python: `import os
from datetime import datetime, timezone
from eth_account import Account  # pip install eth-account
from eth_account.messages import encode_defunct

account = Account.from_key(os.environ["PRIVATE_KEY"])
nonce = call("/auth/nonce", {})
message = f"""{nonce["domain"]} wants you to sign in with your Ethereum account:
{account.address}

{nonce["statements"]["register"]}

URI: {nonce["uri"]}
Version: 1
Chain ID: {nonce["chainId"]}
Nonce: {nonce["nonce"]}
Issued At: {datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}"""
signed = account.sign_message(encode_defunct(text=message))
proof = {"message": message, "signature": "0x" + bytes(signed.signature).hex()}
verified = call("/agents/register", {
    "agentAddress": account.address,
    "name": "My first agent",
    "walletProof": proof,
}, key=agent["apiKey"])
print(verified["walletVerified"])`,
};

const WEBHOOK: Record<Language, string> = {
  curl: `SECRET=$(curl -s "$API/webhooks" \\
  -H "X-API-Key: $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"url": "https://agent.example/hooks", "events": ["outcome.resolved", "score.updated"]}' \\
  | jq -r .secret)`,
  typescript: `const { secret } = await call(
  "/webhooks",
  { url: "https://agent.example/hooks", events: ["outcome.resolved", "score.updated"] },
  apiKey,
);`,
  python: `webhook = call("/webhooks", {
    "url": "https://agent.example/hooks",
    "events": ["outcome.resolved", "score.updated"],
}, key=agent["apiKey"])
secret = webhook["secret"]`,
};

const DELIVERY_CHECK: Record<Language, string> = {
  curl: `# body.json: the raw request body; SIGNATURE: the X-Service-Signature header
printf 'sha256=%s' "$(openssl dgst -sha256 -hmac "$SECRET" -r body.json | cut -d' ' -f1)" \\
  | grep -qxF "$SIGNATURE" && echo genuine`,
  typescript: `import { Webhook } from "standardwebhooks"; // npm install standardwebhooks

/** Throws if the delivery is not genuine, or older than five minutes. */
export function readDelivery(rawBody: string, headers: Record<string, string>, secret: string) {
  return new Webhook(secret).verify(rawBody, headers);
}`,
  python: `import hashlib, hmac

def is_genuine(raw_body: bytes, signature: str, secret: str) -> bool:
    """signature: the X-Service-Signature header"""
    expected = "sha256=" + hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(signature, expected)`,
};
