#!/usr/bin/env bash
# Calls every endpoint of a running service with curl, and checks each response:
#   scripts/walk.sh [BASE]
# Prints one line for each request (status, request, purpose), followed by the relevant fields of the
# response. Exits with 1 at the first unexpected response.
set -euo pipefail

case ${1-} in
--help | -h)
  echo 'Usage: npm run walk -- [BASE]'
  echo 'Calls every endpoint of the service at BASE (default: the running one) and checks each response.'
  exit
  ;;
esac

# setting NAME: the variable, or its value in .env.
setting() { printf %s "${!1:-$(sed -n "s/^$1=//p" .env 2>/dev/null | tail -n 1)}"; }
# The URL of the service that runs on the data folder.
running_service() {
  local file folder
  folder=$(setting DATA_DIR) file=${folder:-.data}/service.json
  [ -f "$file" ] && kill -0 "$(sed 's/.*"pid":\([0-9]*\).*/\1/' "$file")" 2>/dev/null || return 0
  sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$file"
}
base=${1:-$(running_service)}
port=$(setting PORT)
base=${base:-http://localhost:${port:-3000}}
base=${base%/}
api=$base/api/v1
passed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

title() { printf '\n%s\n' "$1"; }
fail() { printf '\nFAILED: %s\n' "$1" >&2 && exit 1; }

# send METHOD URL [curl options]: sets $status, stores head and body in files.
send() {
  local method=$1 url=$2
  shift 2
  if [ "$method" = HEAD ]; then set -- --head "$@"; else set -- --request "$method" "$@"; fi
  status=$(curl -sS --max-time 30 -D "$folder/head" -o "$folder/body" -w '%{http_code}' "$@" "$url") ||
    fail "no response from $url. Start the service with npm start, or give its address."
}

# check STATUS PURPOSE METHOD PATH [curl options]: sends a request, prints its line, checks its status.
check() {
  local expected=$1 purpose=$2 method=$3 path=$4
  shift 4
  send "$method" "$api$path" "$@"
  printf '  %s  %-7s %-64s %s\n' "$status" "$method" "$path" "$purpose"
  [ "$status" = "$expected" ] || fail_with_body "$method $path returned $status, expected $expected"
  passed=$((passed + 1))
}

# post STATUS PURPOSE PATH JSON [curl options]: check with a JSON body.
post() {
  local expected=$1 purpose=$2 path=$3 json=$4
  shift 4
  check "$expected" "$purpose" POST "$path" -H 'Content-Type: application/json' --data-binary "$json" "$@"
}

# field NAME: the first value of that field in the response, without quotation marks.
field() {
  grep -oE "\"$1\":(\"([^\"\\]|\\\\.)*\"|\[[^]]*\]|\{[^}]*\}|[^],}]+)" "$folder/body" | head -n 1 |
    sed -e "s/^\"$1\"://" -e 's/^"\(.*\)"$/\1/' || true
}
# header NAME: the value of a response header.
header() { tr -d '\r' <"$folder/head" | grep -i "^$1:" | head -n 1 | sed 's/^[^:]*: *//' || true; }

# show FIELD…: prints these fields of the response.
show() {
  local name
  for name in "$@"; do printf '                 %s: %s\n' "$name" "$(field "$name")"; done
}
# show_header NAME…: prints these headers, which must be present.
show_header() {
  local name
  for name in "$@"; do holds "$name: $(header "$name")" [ -n "$(header "$name")" ]; done
}
# is FIELD VALUE: checks that the field has exactly this value.
is() { holds "$1: $2" [ "$(field "$1")" = "$2" ]; }

# holds EXPECTATION COMMAND…: checks that the command succeeds.
holds() {
  local expectation=$1
  shift
  "$@" || fail_with_body "expected '$expectation'"
  printf '                 %s\n' "$expectation"
  passed=$((passed + 1))
}
# fail_with_body MESSAGE: fails and prints the response.
fail_with_body() { fail "$1. The response was: $(head -c 600 "$folder/body")"; }

random_hex() { od -An -v -tx1 -N"$1" /dev/urandom | tr -d ' \n'; }
wallet() { printf '0x%s' "$(random_hex 20)"; }
# register STATUS PURPOSE JSON: with a new X-Wallet-Address, since registrations are limited by wallet.
register() { post "$1" "$2" /agents/register "$3" -H "X-Wallet-Address: $(wallet)"; }
# agent ADDRESS NAME: the body of a registration.
agent() { printf '{"agentAddress":"%s","name":"%s","description":"Tests the API with curl","categories":["ops"]}' "$1" "$2"; }
# outcome CONTRACTOR REQUESTER [DELIVERABLE]: the body of a submission.
outcome() {
  printf '{"contractorAgentAddress":"%s","requesterAgentAddress":"%s","taskCategory":"ops","valueUsdc":12.5,"title":"Cause of a failed backup",' "$1" "$2"
  printf '"taskDescription":"Say in one sentence why the nightly backup failed.","deliverableContent":"%s"}' "${3-}"
}

# until_resolved PATH: polls an outcome or a dispute until it is resolved.
until_resolved() {
  local polls=0
  until send GET "$api$1" && [ "$(field status)" = RESOLVED ]; do
    polls=$((polls + 1))
    [ "$polls" -lt 120 ] || fail_with_body "$1 is not RESOLVED after two minutes"
    sleep 1
  done
  check 200 "is RESOLVED after $polls polls" GET "$1"
}

# The following need a local chain, where any wallet can be impersonated and anyone can mint USDC.
# rpc METHOD PARAMETERS: the response to a JSON-RPC call.
rpc() {
  curl -sS --max-time 30 -H 'Content-Type: application/json' "$node" \
    -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":[$2]}"
}
# word HEX: the value as a 32-byte argument of a contract.
word() { printf '%64s' "${1#0x}" | tr ' ' 0; }
# usdc FROM SELECTOR TO MICRO: calls the USDC contract; prints the transaction's hash.
usdc() {
  rpc eth_sendTransaction \
    "{\"from\":\"$1\",\"to\":\"$token\",\"data\":\"0x$2$(word "$3")$(word "$(printf %x "$4")")\"}" |
    sed -n 's/.*"result":"\([^"]*\)".*/\1/p'
}
# fund WALLET: gives it ether and USDC, and lets the node sign for it.
fund() {
  rpc anvil_setBalance "\"$1\",\"0xde0b6b3a7640000\"" >/dev/null
  rpc anvil_impersonateAccount "\"$1\"" >/dev/null
  usdc "$1" 40c10f19 "$1" 100000000 >/dev/null
}
# pay FROM TO MICRO: sends USDC; prints the hash once it is in a block.
pay() {
  local hash
  hash=$(usdc "$1" a9059cbb "$2" "$3")
  until rpc eth_getTransactionReceipt "\"$hash\"" | grep -q blockHash; do sleep 0.2; done
  printf %s "$hash"
}
# Bodies: dispute OUTCOME PAYMENT, refund TRANSACTION, answer PAYMENT.
dispute() { printf '{"outcomeId":"%s","stakePaymentTxHash":"%s","reason":"It names no disk."}' "$1" "$2"; }
refund() { printf '{"refundTxHash":"%s"}' "$1"; }
answer() { printf '{"stakePaymentTxHash":"%s","statement":"It says that the disk was full."}' "$1"; }

# terms REQUESTER CONTRACTOR TIME [REQUIREMENT]: the body of a draft, to deliver by the time.
terms() {
  printf '{"requester":"%s","contractor":"%s","task":"Say why the nightly backup failed.","category":"ops","valueUsdc":12.5,' "$1" "$2"
  printf '"payment":"on-delivery","deliverBy":"%s","requirements":[{"check":"word-count","max":12},%s]}' "$3" \
    "${4-{\"check\":\"contains\",\"phrases\":[\"disk\"]\}}"
}
# seconds_from_now N: that time in ISO 8601, with GNU's date or BSD's.
seconds_from_now() { date -u -d "+$1 seconds" +%FT%TZ 2>/dev/null || date -u -v "+$1S" +%FT%TZ; }
# delivery AGREEMENT TEXT: the body of a delivery.
delivery() { printf '{"agreementId":"%s","deliverableContent":"%s"}' "$1" "$2"; }
# Any 65 bytes: a contract wallet decides which signatures it accepts.
signature=0x$(printf '%0130d' 0)
# verified_agent NAME: registers a new wallet with a proof. curl can't sign, so the wallet is a contract that
# accepts every signature (ERC-1271). Sets $wallet and $key.
verified_agent() {
  send GET "$api/reputation/$(wallet)"
  wallet=$(field walletAddress)
  rpc anvil_setCode "\"$wallet\",\"0x7f1626ba7e$(printf '%056d' 0)60005260206000f3\"" >/dev/null
  send POST "$api/auth/nonce"
  local message
  message="$(field domain) wants you to sign in with your Ethereum account:\n$wallet\n\n$(field register)\n\nURI: $(field uri)"
  message+="\nVersion: 1\nChain ID: $(field chainId)\nNonce: $(field nonce)\nIssued At: $(date -u +%FT%TZ)"
  register 201 "$1" "$(agent "$wallet" "$1" | sed 's/}$//'),\"walletProof\":{\"message\":\"$message\",\"signature\":\"$signature\"}}"
  key="X-API-Key: $(field apiKey)"
}
# propose STATUS PURPOSE TIME: drafts terms and proposes them as the client.
propose() {
  post 200 "draft terms to deliver by $3" /agreements/draft "$(terms "$client" "$worker" "$3")" -H "$client_key"
  signed=$(sed 's/,"termsHash":"[^"]*","typedData":.*/,"signature":"'"$signature"'"}/' "$folder/body")
  show termsHash primaryType
  post "$1" "$2" /agreements "$signed" -H "$client_key"
}

printf 'Checking %s\n' "$api"

title 'The service'
api=$base/api check 200 'the status of its parts (below /api)' GET /health
check 200 'the chain and contracts' GET /network
show chainName registryAddress usdcAddress stakeUsdc
chain_id=$(field chainId) node=$(field rpcUrl) token=$(field usdcAddress) stake_address=$(field stakeAddress)
gate=$(field gateAddress)
check 200 'the current judge' GET /judge
show kind id version calibration status
check 200 'the OpenAPI document' GET /openapi.json
show openapi title

title 'Agents'
contractor=$(wallet) requester=$(wallet) stranger=$(wallet) name="Walker $(random_hex 3)"
register 201 'the contractor' "$(agent "$contractor" "$name")"
contractor_key="X-API-Key: $(field apiKey)" contractor=$(field walletAddress)
show agentId apiKey walletAddress walletVerified
register 201 'the requester' "$(agent "$requester" "$name's client")"
requester_key="X-API-Key: $(field apiKey)" requester=$(field walletAddress)
register 201 'a third agent' "$(agent "$stranger" "$name's neighbor")"
stranger_key="X-API-Key: $(field apiKey)"
register 409 'the same wallet again' "$(agent "$contractor" Again)"
is code wallet-already-registered
register 400 'an invalid address' "$(agent 0x123 Invalid)"
show pointer detail
register 400 'an unknown field' "{\"agentAddress\":\"$(wallet)\",\"name\":\"Invalid\",\"descripton\":\"\"}"
show pointer detail
check 200 'a nonce for a wallet proof' POST /auth/nonce
show nonce domain uri chainId expiresAt
check 200 'the public profile' GET "/agents/$contractor"
show name categories registeredAt
check 200 'the agent of a key' GET /agents/me -H "$contractor_key"
show walletAddress walletVerified ownerEmail
check 404 'an unregistered wallet' GET "/agents/$(wallet)"
check 200 'its ERC-8004 registration file' GET "/agents/$contractor/erc8004.json"
show type supportedTrust
check 404 'an ERC-8004 id that no agent has linked' GET /agents/by-erc8004/999999999
check 403 'an identity without a verified wallet' PATCH /agents/me -H "$contractor_key" \
  -H 'Content-Type: application/json' --data-binary '{"erc8004AgentId":"0"}'
is code forbidden

title 'Outcomes'
work=$(outcome "$contractor" "$requester" 'The backup failed because the disk that it writes to was full.')
idempotency="Idempotency-Key: $(random_hex 16)"
post 202 'submit' /outcome "$work" -H "$contractor_key" -H "$idempotency"
show_header Location Retry-After RateLimit
show outcomeId status estimatedResolutionSeconds
outcome_id=$(field outcomeId)
cp "$folder/body" "$folder/first"
post 202 'the same again: the first response' /outcome "$work" -H "$contractor_key" -H "$idempotency"
show_header Idempotent-Replayed
holds 'byte for byte' cmp -s "$folder/body" "$folder/first"
post 422 'the same key with another body' /outcome "$(outcome "$contractor" "$requester" Other)" \
  -H "$contractor_key" -H "$idempotency"
is code idempotency-key-reused
post 401 'no API key' /outcome "$work"
show_header WWW-Authenticate
post 403 'the key of a third party' /outcome "$work" -H "$stranger_key"
is code forbidden
post 403 'the key of one wallet, the header of another' /outcome "$work" \
  -H "$contractor_key" -H "X-Wallet-Address: $stranger"
is code wallet-mismatch
post 422 'the same wallet for both parties' /outcome "$(outcome "$contractor" "$contractor" Done)" -H "$contractor_key"
is code same-party
post 422 'the stake account as a party' /outcome "$(outcome "$contractor" "$stake_address")" -H "$contractor_key"
is code invalid-party
show pointer detail
post 202 'by the requester, without a deliverable' /outcome "$(outcome "$contractor" "$requester")" -H "$requester_key"
empty_id=$(field outcomeId)
show warnings
until_resolved "/outcome/$outcome_id"
show verdict llmJudgeReasoning llmConfidence judge onChainTx
show_header ETag
check 200 'its judgement' GET "/outcome/$outcome_id/judgement"
show judge findings examinations flags hashes durationMs
check 200 'the same for a party with an unverified wallet' GET "/outcome/$outcome_id/judgement" -H "$contractor_key"
holds 'without the private texts' [ -z "$(field private)" ]
show_header Cache-Control
check 403 'its deliverable, for a party with an unverified wallet' GET "/outcome/$outcome_id/deliverable" -H "$contractor_key"
check 403 'the pages that its result rests on, likewise' GET "/outcome/$outcome_id/pages" -H "$contractor_key"
until_resolved "/outcome/$empty_id"
is verdict FAILURE
show llmJudgeReasoning onChainTx
check 404 'an unknown outcome' GET /outcome/00000000-0000-4000-8000-000000000000
check 404 'its judgement' GET /outcome/00000000-0000-4000-8000-000000000000/judgement
check 400 'an invalid id' GET /outcome/1
check 409 'ERC-8004 feedback about a contractor without a linked agent' GET "/outcome/$outcome_id/erc8004"
check 404 'ERC-8004 feedback of others about it' GET "/agents/$contractor/erc8004-feedback"

title 'Reputation'
check 200 'the contractor, in lower case' GET "/reputation/$(printf %s "$contractor" | tr 'A-F' 'a-f')"
is walletAddress "$contractor"
is totalOutcomes 2
is confirmedOutcomes 1
show score tier successRate disputeRate categoryScores lastUpdated scoreDay
show_header ETag Cache-Control
check 304 'not modified' GET "/reputation/$contractor" -H "If-None-Match: $(header ETag)"
unknown=$(wallet)
check 200 'a wallet without outcomes' GET "/reputation/$unknown"
is tier UNRANKED
post 200 'several wallets, in request order' /reputation/bulk "[\"$unknown\",\"$contractor\",\"$unknown\"]"
counts=$(grep -oE '"totalOutcomes":[0-9]+' "$folder/body" | grep -oE '[0-9]+' | tr '\n' ' ')
holds "totalOutcomes: $counts" [ "$counts" = '0 2 0 ' ]
post 400 'too many addresses' /reputation/bulk "[$(printf '%101s' '' | sed "s/ /\"$contractor\",/g; s/,\$//")]"
post 400 'no addresses' /reputation/bulk '[]'
check 200 'the history of the score' GET "/reputation/$contractor/history"
is totalElements 2
if [ -n "$gate" ]; then
  check 200 'a signed statement of the score' GET "/reputation/$contractor/statement"
  is wallet "$contractor"
  is outcomes 2
  is verifyingContract "$gate"
  show scoreCenti seq head expiresAt signer
else
  check 503 'a signed statement, without a key' GET "/reputation/$contractor/statement"
  is code statements-unavailable
fi
check 400 'an invalid address' GET /reputation/0x123

title 'The ledger'
check 200 'all records, one per line' GET /ledger
show_header Content-Type
holds 'JSON Lines' [ "$(header Content-Type)" = application/jsonl ]
holds 'includes the outcome' grep -q "\"id\":\"$outcome_id\"" "$folder/body"
last_seq=$(tail -n 1 "$folder/body" | grep -oE '"seq":[0-9]+' | head -n 1 | cut -d: -f2)
check 200 'from the last record on' GET "/ledger?fromSeq=$last_seq"
holds 'begins with that record' [ "$(head -n 1 "$folder/body" | grep -oE '"seq":[0-9]+' | cut -d: -f2)" = "$last_seq" ]
check 400 'an invalid record number' GET '/ledger?fromSeq=0'
show pointer detail
check 200 'the anchors' GET /anchors
show totalElements

title 'Explorer'
check 200 'the best agents' GET '/explore/leaderboard?page=0&size=3'
is size 3
check 200 'the best of a category and tier' GET '/explore/leaderboard?category=ops&tier=NEWCOMER'
check 200 'by name' GET "/explore/search?q=$(printf %s "$name" | tr ' ' '+')&category=ops&minScore=0&sort=name"
is totalElements 3
show name score tier totalOutcomes categories totalPages page size
check 200 'by the beginning of a wallet' GET "/explore/search?q=$contractor"
is totalElements 1
check 200 'a page size over the limit' GET '/explore/search?size=1000'
is size 100
check 400 'a negative page' GET '/explore/search?page=-1'
check 200 'the outcomes of an agent' GET "/agents/$contractor/outcomes?role=contractor&status=RESOLVED"
is totalElements 2
check 200 'an agent, before hiring it' GET "/agents/$contractor/check?valueUsdc=50"
show action summary limitUsdc
check 200 'two agents for the same job' GET "/explore/compare?walletAddresses=$contractor&walletAddresses=$(wallet)&valueUsdc=50"
show action

title 'Agreements'
client=$requester client_key=$requester_key worker=$contractor worker_key=$contractor_key
check 200 'every requirement that code can decide' GET /requirements
holds 'with examples' grep -q '"check":"word-count"' "$folder/body"
trial='{"requirements":[{"check":"word-count","max":3}],"deliverableContent":"These are four words"}'
post 403 'try requirements without a verified wallet' /requirements/check "$trial" -H "$worker_key"
is code forbidden
post 400 'a requirement that does not exist' /agreements/draft \
  "$(terms "$client" "$worker" "$(seconds_from_now 3600)" '{"check":"is-good"}')" -H "$client_key"
show pointer detail
post 401 'no API key' /agreements/draft "$(terms "$client" "$worker" "$(seconds_from_now 3600)")"
propose 403 'propose without a verified wallet' "$(seconds_from_now 3600)"
is code forbidden
show detail
if [ -n "$node" ]; then
  verified_agent 'Walking client'
  client=$wallet client_key=$key
  verified_agent 'Walking contractor'
  worker=$wallet worker_key=$key
  post 200 'try requirements on a text' /requirements/check "$trial" -H "$worker_key"
  is passed false
  show description observed
  missing_by=$(($(date +%s) + 186))
  propose 201 'a job that is never delivered' "$(seconds_from_now 125)"
  missing_id=$(field agreementId)
  post 200 'its other party accepts' "/agreements/$missing_id/accept" "{\"signature\":\"$signature\"}" -H "$worker_key"
  is status AGREED
  propose 201 'a job' "$(seconds_from_now 3600)"
  show_header Location
  is status PROPOSED
  agreement_id=$(field agreementId)
  post 409 'the same terms again' /agreements "$signed" -H "$client_key"
  is code agreement-exists
  check 404 'a third party reads it' GET "/agreements/$agreement_id" -H "$stranger_key"
  post 409 'deliver before both have signed' /outcome "$(delivery "$agreement_id" 'The disk was full.')" -H "$worker_key"
  is code agreement-not-agreed
  post 200 'accept' "/agreements/$agreement_id/accept" "{\"signature\":\"$signature\"}" -H "$worker_key"
  is status AGREED
  post 200 'try the work' "/agreements/$agreement_id/check" '{"deliverableContent":"The volume was full."}' -H "$worker_key"
  is passed false
  show description observed detail
  post 403 'a delivery by the requester' /outcome "$(delivery "$agreement_id" 'Nonsense.')" -H "$client_key"
  post 409 'a report before the deadline' /outcome "{\"agreementId\":\"$agreement_id\"}" -H "$client_key"
  is code delivery-pending
  post 422 'a delivery that differs from the terms' /outcome \
    "{\"agreementId\":\"$agreement_id\",\"deliverableContent\":\"The disk was full.\",\"valueUsdc\":13}" -H "$worker_key"
  is code agreement-mismatch
  show detail
  post 202 'deliver' /outcome "$(delivery "$agreement_id" 'The disk was full.')" -H "$worker_key"
  agreed_id=$(field outcomeId)
  until_resolved "/outcome/$agreed_id"
  is verdict SUCCESS
  is llmConfidence 1
  show llmJudgeReasoning onChainTx
  check 200 'the agreement' GET "/agreements/$agreement_id" -H "$client_key"
  is status DELIVERED
  is outcomeId "$agreed_id"
  post 403 'the client says that it paid' "/agreements/$agreement_id/settled" '{}' -H "$client_key"
  post 200 'the contractor says that it was paid' "/agreements/$agreement_id/settled" '{}' -H "$worker_key"
  show settledAt
  propose 201 'a job whose delivery fails a requirement' "$(seconds_from_now 3600)"
  agreement_id=$(field agreementId)
  post 200 'accept' "/agreements/$agreement_id/accept" "{\"signature\":\"$signature\"}" -H "$worker_key"
  post 202 'deliver' /outcome "$(delivery "$agreement_id" 'The volume was full.')" -H "$worker_key"
  failed_id=$(field outcomeId)
  until_resolved "/outcome/$failed_id"
  is verdict FAILURE
  is llmConfidence 1
  show llmJudgeReasoning
  propose 201 'a job that is declined' "$(seconds_from_now 3600)"
  agreement_id=$(field agreementId)
  post 403 'by its author' "/agreements/$agreement_id/decline" '{}' -H "$client_key"
  post 200 'by the other party' "/agreements/$agreement_id/decline" '{}' -H "$worker_key"
  is status DECLINED
  propose 201 'a job that its author cancels' "$(seconds_from_now 3600)"
  agreement_id=$(field agreementId)
  post 200 'cancel' "/agreements/$agreement_id/cancel" '{}' -H "$client_key"
  is status CANCELLED
  check 200 'those of an agent' GET '/agreements?status=AGREED' -H "$worker_key"
  is agreementId "$missing_id"
else
  printf '  Skipped: these checks need a local chain.\n'
fi

title 'MCP'
message='{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"check_agent","arguments":'
api=$base check 200 'a tool for agents' POST /mcp -H 'Content-Type: application/json' \
  -H 'Accept: application/json, text/event-stream' \
  --data-binary "$message{\"walletAddress\":\"$contractor\",\"valueUsdc\":50}}}"
show action summary

title 'Webhooks'
# No host can have this name (RFC 6761), so nothing is called.
hook='{"url":"https://standing.invalid/hook","events":["outcome.resolved","score.updated"]}'
post 201 'create' /webhooks "$hook" -H "$contractor_key"
show webhookId url events status secret
webhook_id=$(field webhookId)
post 400 'an unknown event' /webhooks '{"url":"https://standing.invalid","events":["score"]}' -H "$contractor_key"
post 401 'no API key' /webhooks "$hook"
check 200 'list' GET /webhooks -H "$contractor_key"
is webhookId "$webhook_id"
holds 'without the secret' [ -z "$(field secret)" ]
check 200 'one webhook' GET "/webhooks/$webhook_id" -H "$contractor_key"
is webhookId "$webhook_id"
check 200 'retry for 24 hours' PATCH "/webhooks/$webhook_id" -H "$contractor_key" \
  -H 'Content-Type: application/json' --data-binary '{"retrySchedule":"day"}'
is retrySchedule day
check 200 'replace the secret' POST "/webhooks/$webhook_id/rotate-secret" -H "$contractor_key"
show secret previousSecretExpiresAt
check 200 'send a ping' POST "/webhooks/$webhook_id/ping" -H "$contractor_key"
delivery_id=$(field deliveryId)
show event status
check 200 'its delivery' GET "/webhooks/$webhook_id/deliveries" -H "$contractor_key"
is deliveryId "$delivery_id"
show status attempts
check 200 'deliver again' POST "/webhooks/$webhook_id/deliveries/$delivery_id/redeliver" -H "$contractor_key"
check 200 'failed deliveries of pings' GET "/webhooks/$webhook_id/deliveries?status=failed&event=ping" -H "$contractor_key"
post 200 'deliver all failed again' "/webhooks/$webhook_id/replay" '{"since":"2026-01-01T00:00:00.000Z"}' -H "$contractor_key"
show replayed remaining
check 404 'the webhook of another agent' DELETE "/webhooks/$webhook_id" -H "$requester_key"
check 204 'delete' DELETE "/webhooks/$webhook_id" -H "$contractor_key"
check 404 'delete again' DELETE "/webhooks/$webhook_id" -H "$contractor_key"

title 'Payments and disputes'
if [ -n "$node" ]; then
  fund "$contractor"
  fund "$requester"
  paid=$(pay "$requester" "$contractor" 10000000)
  paid_work() { printf '%s,"paymentTxHash":"%s"}' "$(outcome "$contractor" "$requester" "$1" | sed 's/}$//')" "$2"; }
  post 202 'an outcome with its payment' /outcome "$(paid_work 'The disk was full, so nothing could be written.' "$paid")" -H "$contractor_key"
  paid_id=$(field outcomeId)
  receipt() { # TRANSACTION NETWORK: an x402 receipt, as its PAYMENT-RESPONSE header has it
    printf '{"success":true,"transaction":"%s","network":"%s","payer":"%s"}' "$1" "$2" "$requester" | base64 | tr -d '\n'
  }
  receipt_of_work() {
    printf '%s,"payment":{"x402":"%s"}}' "$(outcome "$contractor" "$requester" 'The disk was full.' | sed 's/}$//')" "$1"
  }
  post 409 'the same payment again, by its x402 receipt' /outcome \
    "$(receipt_of_work "$(receipt "$paid" "eip155:$chain_id")")" -H "$contractor_key"
  is code payment-used
  post 422 'an x402 receipt of another network' /outcome "$(receipt_of_work "$(receipt "$paid" eip155:1)")" -H "$requester_key"
  is code payment-invalid
  show detail
  post 422 'a payment to another wallet' /outcome \
    "$(paid_work 'The disk was full.' "$(pay "$requester" "$stranger" 1)")" -H "$contractor_key"
  is code payment-invalid
  until_resolved "/outcome/$paid_id"
  is paidUsdc 10
  show valueUsdc paymentTxHash verdict
  stake=$(pay "$requester" "$stake_address" 500000)
  post 401 'no API key' /disputes "$(dispute "$paid_id" "$stake")"
  post 403 'the key of a third party' /disputes "$(dispute "$paid_id" "$stake")" -H "$stranger_key"
  post 422 'by the favored party: its payment is returned' /disputes \
    "$(dispute "$paid_id" "$(pay "$contractor" "$stake_address" 500000)")" -H "$contractor_key"
  is code verdict-favors-you
  show detail
  post 422 "the other party's payment" /disputes \
    "$(dispute "$paid_id" "$(pay "$contractor" "$stake_address" 500000)")" -H "$requester_key"
  is code payment-invalid
  post 409 'an unknown payment' /disputes "$(dispute "$paid_id" "0x$(random_hex 32)")" -H "$requester_key"
  is code payment-not-ready
  show_header Retry-After
  post 201 'open' /disputes "$(dispute "$paid_id" "$stake")" -H "$requester_key"
  show disputeId status stakeUsdc expiresAt
  show_header Location RateLimit
  dispute_id=$(field disputeId)
  second=$(pay "$requester" "$stake_address" 500000)
  post 409 'open again: the second payment is returned' /disputes "$(dispute "$paid_id" "$second")" -H "$requester_key"
  is code already-disputed
  is disputeId "$dispute_id"
  show detail
  check 200 'its phase' GET "/disputes/$dispute_id"
  is phase awaiting-answer
  post 200 'the other party responds' "/disputes/$dispute_id/stake" \
    "$(answer "$(pay "$contractor" "$stake_address" 500000)")" -H "$contractor_key"
  show stakes statements
  until_resolved "/disputes/$dispute_id"
  show verdict reason finalVerdict onChainTx stakes
  supplied() {
    printf '{"outcomeId":"%s","stakePaymentTxHash":"%s","reason":"I delivered this.","deliverableContent":"%s"}' "$1" "$2" "$3"
  }
  post 422 'a deliverable that cannot be supplied' /disputes "$(supplied "$paid_id" "$second" 'The disk was full.')" \
    -H "$requester_key"
  is code deliverable-not-accepted
  show pointer detail
  post 201 'with the deliverable that the requester left out' /disputes \
    "$(supplied "$empty_id" "$(pay "$contractor" "$stake_address" 500000)" 'The disk was full, so nothing could be written.')" \
    -H "$contractor_key"
  dispute_id=$(field disputeId)
  check 200 'only its salted hash is public' GET "/disputes/$dispute_id"
  holds "deliverableHash: $(field deliverableHash)" [ "$(field deliverableHash)" != null ]
  post 200 'the requester concedes' "/disputes/$dispute_id/stake" \
    "{\"stakePaymentTxHash\":\"$(pay "$requester" "$stake_address" 500000)\",\"statement\":\"I concede.\"}" -H "$requester_key"
  until_resolved "/disputes/$dispute_id"
  is verdict CONTRACTOR_WINS
  show reason
  paid=$(pay "$requester" "$contractor" 2000000)
  post 202 'a paid task without a deliverable' /outcome "$(paid_work ' ' "$paid")" -H "$contractor_key"
  failed_id=$(field outcomeId)
  until_resolved "/outcome/$failed_id"
  is verdict FAILURE
  post 403 "a refund by the requester's key" "/outcome/$failed_id/refund" "$(refund "$paid")" -H "$requester_key"
  post 422 'a refund by the payment itself' "/outcome/$failed_id/refund" "$(refund "$paid")" -H "$contractor_key"
  is code payment-invalid
  returned=$(pay "$contractor" "$requester" 2000000)
  post 200 'refund the payment' "/outcome/$failed_id/refund" "$(refund "$returned")" -H "$contractor_key"
  show txHash amountUsdc status
  post 200 'the same refund again' "/outcome/$failed_id/refund" "$(refund "$returned")" -H "$contractor_key"
  another=$(pay "$contractor" "$requester" 2000000)
  post 409 'a second refund' "/outcome/$failed_id/refund" "$(refund "$another")" -H "$contractor_key"
  is code already-refunded
  check 200 'the outcome with its refund' GET "/outcome/$failed_id"
  show refund
else
  printf '  Skipped: these checks need a local chain.\n'
fi
check 404 'an unknown dispute' GET /disputes/00000000-0000-4000-8000-000000000000
is code not-found

if [ -n "$node" ]; then
  title 'A deadline without a delivery'
  echo 'Waits up to 3 minutes for the deadline.'
  while [ "$(date +%s)" -lt "$missing_by" ]; do sleep 1; done
  post 409 'a late delivery' /outcome "$(delivery "$missing_id" 'The disk was full.')" -H "$worker_key"
  is code agreement-ended
  post 202 'the requester reports it' /outcome "{\"agreementId\":\"$missing_id\"}" -H "$client_key"
  missing_outcome_id=$(field outcomeId)
  until_resolved "/outcome/$missing_outcome_id"
  is verdict FAILURE
  is llmConfidence 1
  holds 'counts at once' [ -z "$(field countsFrom)" ]
  show llmJudgeReasoning onChainTx
  check 200 'the agreement' GET "/agreements/$missing_id" -H "$client_key"
  is status NOT_DELIVERED
fi

title 'Keys'
check 200 'list' GET /agents/me/keys -H "$contractor_key"
show keyId lastFour createdAt current
check 200 'rotate' POST /agents/me/keys -H "$contractor_key"
show keyId apiKey previousKeysExpireAt
new_key="X-API-Key: $(field apiKey)" new_key_id=$(field keyId)
check 200 'the old key works for another day' GET /webhooks -H "$contractor_key"
check 204 'revoke the new key' DELETE "/agents/me/keys/$new_key_id" -H "$new_key"
check 401 'the revoked key' GET /webhooks -H "$new_key"

title 'HTTP'
check 404 'an unknown path' GET /nothing
show_header X-Request-Id Content-Type
show type title status detail code requestId
check 405 'an unsupported method' PUT "/reputation/$contractor"
show_header Allow
post 400 'invalid JSON' /reputation/bulk '["0x'
is code malformed-json
check 415 'an unsupported content type' POST /reputation/bulk -H 'Content-Type: text/plain' -d 'x'
head -c 1048577 /dev/zero | tr '\0' ' ' >"$folder/large"
post 413 'a body one byte over the limit' /reputation/bulk "@$folder/large"
check 200 'only the headers' HEAD "/reputation/$contractor"
show_header Content-Length ETag
check 204 'a CORS preflight request' OPTIONS /explore/search -H 'Origin: https://example.com' \
  -H 'Access-Control-Request-Method: GET'
show_header Allow Access-Control-Allow-Origin Access-Control-Allow-Methods
check 200 'a cross-origin request' GET /explore/leaderboard -H 'Origin: https://example.com'
show_header Access-Control-Allow-Origin Access-Control-Expose-Headers RateLimit-Policy RateLimit

title 'Rate limits'
# Invalid requests count too; without X-Wallet-Address they are limited by client address.
for _ in 1 2 3 4; do
  send POST "$api/agents/register" -H 'Content-Type: application/json' -d '{}'
  printf '  %s  POST    /agents/register\n' "$status"
  [ "$status" = 429 ] && break
done
holds 'limited at the fourth request at the latest' [ "$status" = 429 ]
show_header Retry-After RateLimit-Policy RateLimit
is code rate-limited

printf '\n%s checks passed\n' "$passed"
