#!/usr/bin/env bash
# Walks every endpoint of a running service with nothing but curl, and checks each answer:
#   scripts/walk.sh [http://localhost:3000]
# A line for each request: its status, the request, what it is for; below it, the part of the answer
# that matters. The first answer that is not as specified ends the walk with exit code 1.
set -euo pipefail

base=${1:-http://localhost:3000}
base=${base%/}
api=$base/api/v1
passed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

title() { printf '\n%s\n' "$1"; }
fail() { printf '\nFAILED: %s\n' "$1" >&2 && exit 1; }

# send METHOD URL [curl options]: sets $status, leaves head and body in files.
send() {
  local method=$1 url=$2
  shift 2
  if [ "$method" = HEAD ]; then set -- --head "$@"; else set -- --request "$method" "$@"; fi
  status=$(curl -sS --max-time 30 -D "$folder/head" -o "$folder/body" -w '%{http_code}' "$@" "$url") ||
    fail "no answer from $url. Start the service with npm start, or name where it runs."
}

# check STATUS WHAT METHOD PATH [curl options]: one request, one line, its status compared.
check() {
  local expected=$1 what=$2 method=$3 path=$4
  shift 4
  send "$method" "$api$path" "$@"
  printf '  %s  %-7s %-64s %s\n' "$status" "$method" "$path" "$what"
  [ "$status" = "$expected" ] || differs "$method $path answered $status, expected $expected"
  passed=$((passed + 1))
}

# post STATUS WHAT PATH JSON [curl options]
post() {
  local expected=$1 what=$2 path=$3 json=$4
  shift 4
  check "$expected" "$what" POST "$path" -H 'Content-Type: application/json' --data-binary "$json" "$@"
}

# The first value of a field in the answer, without its quotation marks.
field() {
  grep -oE "\"$1\":(\"([^\"\\]|\\\\.)*\"|\[[^]]*\]|\{[^}]*\}|[^],}]+)" "$folder/body" | head -n 1 |
    sed -e "s/^\"$1\"://" -e 's/^"\(.*\)"$/\1/' || true
}
header() { tr -d '\r' <"$folder/head" | grep -i "^$1:" | head -n 1 | sed 's/^[^:]*: *//' || true; }

# show FIELD…: the part of the answer that matters.
show() {
  local name
  for name in "$@"; do printf '                 %s: %s\n' "$name" "$(field "$name")"; done
}
# show_header NAME…: headers that have to be there.
show_header() {
  local name
  for name in "$@"; do holds "$name: $(header "$name")" [ -n "$(header "$name")" ]; done
}
# is FIELD VALUE: the field has just that value.
is() { holds "$1: $2" [ "$(field "$1")" = "$2" ]; }

# holds WHAT COMMAND…: something that must be true of the answer.
holds() {
  local what=$1
  shift
  "$@" || differs "expected '$what'"
  printf '                 %s\n' "$what"
  passed=$((passed + 1))
}
# differs WHAT: fails with what was answered.
differs() { fail "$1. The answer was: $(head -c 600 "$folder/body")"; }

random_hex() { od -An -v -tx1 -N"$1" /dev/urandom | tr -d ' \n'; }
wallet() { printf '0x%s' "$(random_hex 20)"; }
# register STATUS WHAT JSON: counted by client and X-Wallet-Address, so each names a wallet of its own.
register() { post "$1" "$2" /agents/register "$3" -H "X-Wallet-Address: $(wallet)"; }
# agent ADDRESS NAME: a registration's body.
agent() { printf '{"agentAddress":"%s","name":"%s","description":"Walks by curl","categories":["ops"]}' "$1" "$2"; }
# outcome CONTRACTOR REQUESTER [DELIVERABLE]: a submission's body.
outcome() {
  printf '{"contractorAgentAddress":"%s","requesterAgentAddress":"%s","taskCategory":"ops","valueUsdc":12.5,' "$1" "$2"
  printf '"taskDescription":"Say in one sentence why the nightly backup failed.","deliverableContent":"%s"}' "${3-}"
}

# until_resolved PATH: polls an outcome or a dispute, and shows the last answer.
until_resolved() {
  local polls=0
  until send GET "$api$1" && [ "$(field status)" = RESOLVED ]; do
    polls=$((polls + 1))
    [ "$polls" -lt 120 ] || differs "$1 is not RESOLVED after two minutes"
    sleep 1
  done
  check 200 "is RESOLVED after $polls polls" GET "$1"
}

# On a local chain, where everybody can speak for every wallet and make USDC.
# rpc METHOD PARAMETERS: the answer to a JSON-RPC call.
rpc() {
  curl -sS --max-time 30 -H 'Content-Type: application/json' "$node" \
    -d "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"$1\",\"params\":[$2]}"
}
# word HEX, or word of a number: the 32 bytes that a contract takes.
word() { printf '%64s' "${1#0x}" | tr ' ' 0; }
# usdc FROM SELECTOR TO MICRO: a call of the token, and its transaction's hash.
usdc() {
  rpc eth_sendTransaction \
    "{\"from\":\"$1\",\"to\":\"$token\",\"data\":\"0x$2$(word "$3")$(word "$(printf %x "$4")")\"}" |
    sed -n 's/.*"result":"\([^"]*\)".*/\1/p'
}
# fund WALLET: ether, USDC, and that the node signs for it.
fund() {
  rpc anvil_setBalance "\"$1\",\"0xde0b6b3a7640000\"" >/dev/null
  rpc anvil_impersonateAccount "\"$1\"" >/dev/null
  usdc "$1" 40c10f19 "$1" 100000000 >/dev/null
}
# pay FROM TO MICRO: the hash of the transfer, once it is in a block.
pay() {
  local hash
  hash=$(usdc "$1" a9059cbb "$2" "$3")
  until rpc eth_getTransactionReceipt "\"$hash\"" | grep -q blockHash; do sleep 0.2; done
  printf %s "$hash"
}
# dispute OUTCOME PAYMENT, refund TRANSACTION, answer PAYMENT: bodies.
dispute() { printf '{"outcomeId":"%s","stakePaymentTxHash":"%s","reason":"It names no disk."}' "$1" "$2"; }
refund() { printf '{"refundTxHash":"%s"}' "$1"; }
answer() { printf '{"stakePaymentTxHash":"%s","statement":"It says that the disk was full."}' "$1"; }

printf 'Walking %s\n' "$api"

title 'The service'
api=$base/api check 200 'the state of its parts (below /api)' GET /health
check 200 'the chain that verdicts are recorded on' GET /network
show chainName registryAddress usdcAddress stakeUsdc
node=$(field rpcUrl) token=$(field usdcAddress) stake_address=$(field stakeAddress)
check 200 'the judge that decides' GET /judge
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
register 201 'somebody else' "$(agent "$stranger" "$name's neighbour")"
stranger_key="X-API-Key: $(field apiKey)"
register 409 'the same wallet again' "$(agent "$contractor" Again)"
is code wallet-already-registered
register 400 'no address' "$(agent 0x123 Nobody)"
show pointer detail
register 400 'an unknown field' "{\"agentAddress\":\"$(wallet)\",\"name\":\"Nobody\",\"descripton\":\"\"}"
show pointer detail
check 200 'what a wallet proof has to say' POST /auth/nonce
show nonce domain uri chainId expiresAt
check 200 'the public profile' GET "/agents/$contractor"
show name categories registeredAt
check 404 'nobody registered it' GET "/agents/$(wallet)"

title 'Outcomes'
work=$(outcome "$contractor" "$requester" 'The backup failed because the disk that it writes to was full.')
idempotency="Idempotency-Key: $(random_hex 16)"
post 202 'submit' /outcome "$work" -H "$contractor_key" -H "$idempotency"
show_header Location Retry-After RateLimit
show outcomeId status estimatedResolutionSeconds
outcome_id=$(field outcomeId)
cp "$folder/body" "$folder/first"
post 202 'the same again: the first answer' /outcome "$work" -H "$contractor_key" -H "$idempotency"
show_header Idempotent-Replayed
holds 'byte for byte' cmp -s "$folder/body" "$folder/first"
post 422 'the same key, another body' /outcome "$(outcome "$contractor" "$requester" Other)" \
  -H "$contractor_key" -H "$idempotency"
is code idempotency-key-reused
post 401 'no key' /outcome "$work"
show_header WWW-Authenticate
post 403 'the key of neither party' /outcome "$work" -H "$stranger_key"
is code forbidden
post 403 'the key of one wallet, the header of another' /outcome "$work" \
  -H "$contractor_key" -H "X-Wallet-Address: $stranger"
is code wallet-mismatch
post 422 'both parties the same' /outcome "$(outcome "$contractor" "$contractor" Done)" -H "$contractor_key"
is code same-party
post 422 'the stake account as a party' /outcome "$(outcome "$contractor" "$stake_address")" -H "$contractor_key"
is code invalid-party
show pointer detail
post 202 'by the requester, nothing delivered' /outcome "$(outcome "$contractor" "$requester")" -H "$requester_key"
empty_id=$(field outcomeId)
until_resolved "/outcome/$outcome_id"
show verdict llmJudgeReasoning llmConfidence judge onChainTx
show_header ETag
check 200 'how it was judged' GET "/outcome/$outcome_id/judgement"
show judge findings votes flags hashes durationMs
check 200 'the same to a party whose wallet is not proven' GET "/outcome/$outcome_id/judgement" -H "$contractor_key"
holds 'without the private texts' [ -z "$(field private)" ]
show_header Cache-Control
until_resolved "/outcome/$empty_id"
is verdict FAILURE
show llmJudgeReasoning onChainTx
check 404 'no such outcome' GET /outcome/00000000-0000-4000-8000-000000000000
check 404 'nor a judgement of it' GET /outcome/00000000-0000-4000-8000-000000000000/judgement
check 400 'no UUID' GET /outcome/1

title 'Reputation'
check 200 'of the contractor, in lower case' GET "/reputation/$(printf %s "$contractor" | tr 'A-F' 'a-f')"
is walletAddress "$contractor"
is totalOutcomes 2
is confirmedOutcomes 1
show score tier successRate disputeRate categoryScores lastUpdated scoreDay
show_header ETag Cache-Control
check 304 'nothing has changed' GET "/reputation/$contractor" -H "If-None-Match: $(header ETag)"
unknown=$(wallet)
check 200 'of a wallet without outcomes' GET "/reputation/$unknown"
is tier UNRANKED
post 200 'several, in the order asked' /reputation/bulk "[\"$unknown\",\"$contractor\",\"$unknown\"]"
counts=$(grep -oE '"totalOutcomes":[0-9]+' "$folder/body" | grep -oE '[0-9]+' | tr '\n' ' ')
holds "totalOutcomes: $counts" [ "$counts" = '0 2 0 ' ]
post 400 '101 addresses' /reputation/bulk "[$(printf '%101s' '' | sed "s/ /\"$contractor\",/g; s/,\$//")]"
post 400 'none' /reputation/bulk '[]'
check 200 'how the score came about' GET "/reputation/$contractor/history"
is totalElements 2
check 400 'no address' GET /reputation/0x123

title 'The ledger'
check 200 'all records, one on each line' GET /ledger
show_header Content-Type
holds 'JSON Lines' [ "$(header Content-Type)" = application/jsonl ]
holds 'the outcome is among them' grep -q "\"id\":\"$outcome_id\"" "$folder/body"
last_seq=$(tail -n 1 "$folder/body" | grep -oE '"seq":[0-9]+' | head -n 1 | cut -d: -f2)
check 200 'from the last one on' GET "/ledger?fromSeq=$last_seq"
holds 'begins with it' [ "$(head -n 1 "$folder/body" | grep -oE '"seq":[0-9]+' | cut -d: -f2)" = "$last_seq" ]
check 400 'no number of a record' GET '/ledger?fromSeq=0'
show pointer detail
check 200 'whom the operator vouches for' GET /anchors
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
check 200 'more than a page holds' GET '/explore/search?size=1000'
is size 100
check 400 'a negative page' GET '/explore/search?page=-1'
check 200 'outcomes of an agent' GET "/agents/$contractor/outcomes?role=contractor&status=RESOLVED"
is totalElements 2

title 'Webhooks'
# No host can have this name (RFC 6761): the walk calls nobody.
hook='{"url":"https://standing.invalid/hook","events":["outcome.resolved","score.updated"]}'
post 201 'create' /webhooks "$hook" -H "$contractor_key"
show webhookId url events status secret
webhook_id=$(field webhookId)
post 400 'no such event' /webhooks '{"url":"https://standing.invalid","events":["score"]}' -H "$contractor_key"
post 401 'no key' /webhooks "$hook"
check 200 'list' GET /webhooks -H "$contractor_key"
is webhookId "$webhook_id"
holds 'no secret' [ -z "$(field secret)" ]
check 200 'have it called' POST "/webhooks/$webhook_id/ping" -H "$contractor_key"
delivery_id=$(field deliveryId)
show event status
check 200 'what became of it' GET "/webhooks/$webhook_id/deliveries" -H "$contractor_key"
is deliveryId "$delivery_id"
show status attempts
check 200 'deliver again' POST "/webhooks/$webhook_id/deliveries/$delivery_id/redeliver" -H "$contractor_key"
check 404 "another agent's" DELETE "/webhooks/$webhook_id" -H "$requester_key"
check 204 'delete' DELETE "/webhooks/$webhook_id" -H "$contractor_key"
check 404 'it is gone' DELETE "/webhooks/$webhook_id" -H "$contractor_key"

title 'Payments and disputes'
if [ -n "$node" ]; then
  fund "$contractor"
  fund "$requester"
  paid=$(pay "$requester" "$contractor" 10000000)
  paid_work() { printf '%s,"paymentTxHash":"%s"}' "$(outcome "$contractor" "$requester" "$1" | sed 's/}$//')" "$2"; }
  post 202 'an outcome with its payment' /outcome "$(paid_work 'The disk was full, so nothing could be written.' "$paid")" -H "$contractor_key"
  paid_id=$(field outcomeId)
  post 409 'the same payment again' /outcome "$(paid_work 'The disk was full.' "$paid")" -H "$contractor_key"
  is code payment-used
  post 422 'a payment to somebody else' /outcome \
    "$(paid_work 'The disk was full.' "$(pay "$requester" "$stranger" 1)")" -H "$contractor_key"
  is code payment-invalid
  until_resolved "/outcome/$paid_id"
  is paidUsdc 10
  show valueUsdc paymentTxHash verdict
  stake=$(pay "$requester" "$stake_address" 500000)
  post 401 'no key' /disputes "$(dispute "$paid_id" "$stake")"
  post 403 'the key of neither party' /disputes "$(dispute "$paid_id" "$stake")" -H "$stranger_key"
  post 422 'by the party that the verdict favors: its payment goes back' /disputes \
    "$(dispute "$paid_id" "$(pay "$contractor" "$stake_address" 500000)")" -H "$contractor_key"
  is code verdict-favors-you
  show detail
  post 422 "the other party's payment" /disputes \
    "$(dispute "$paid_id" "$(pay "$contractor" "$stake_address" 500000)")" -H "$requester_key"
  is code payment-invalid
  post 409 'a payment that nobody knows' /disputes "$(dispute "$paid_id" "0x$(random_hex 32)")" -H "$requester_key"
  is code payment-not-ready
  show_header Retry-After
  post 201 'open' /disputes "$(dispute "$paid_id" "$stake")" -H "$requester_key"
  show disputeId status stakeUsdc expiresAt
  show_header Location RateLimit
  dispute_id=$(field disputeId)
  second=$(pay "$requester" "$stake_address" 500000)
  post 409 'open again: the second payment goes back' /disputes "$(dispute "$paid_id" "$second")" -H "$requester_key"
  is code already-disputed
  is disputeId "$dispute_id"
  show detail
  check 200 'what is waited for' GET "/disputes/$dispute_id"
  is phase awaiting-answer
  post 200 'the other party answers' "/disputes/$dispute_id/stake" \
    "$(answer "$(pay "$contractor" "$stake_address" 500000)")" -H "$contractor_key"
  show stakes statements
  until_resolved "/disputes/$dispute_id"
  show verdict reason finalVerdict onChainTx stakes
  supplied() {
    printf '{"outcomeId":"%s","stakePaymentTxHash":"%s","reason":"I delivered this.","deliverableContent":"%s"}' "$1" "$2" "$3"
  }
  post 422 'a deliverable that is not accepted' /disputes "$(supplied "$paid_id" "$second" 'The disk was full.')" \
    -H "$requester_key"
  is code deliverable-not-accepted
  show pointer detail
  post 201 'what was delivered, in a dispute over the empty outcome of the requester' /disputes \
    "$(supplied "$empty_id" "$(pay "$contractor" "$stake_address" 500000)" 'The disk was full, so nothing could be written.')" \
    -H "$contractor_key"
  dispute_id=$(field disputeId)
  check 200 'the public sees its salted hash' GET "/disputes/$dispute_id"
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
  post 422 'the payment itself' "/outcome/$failed_id/refund" "$(refund "$paid")" -H "$contractor_key"
  is code payment-invalid
  returned=$(pay "$contractor" "$requester" 2000000)
  post 200 'return the payment' "/outcome/$failed_id/refund" "$(refund "$returned")" -H "$contractor_key"
  show txHash amountUsdc status
  post 200 'the same transaction again' "/outcome/$failed_id/refund" "$(refund "$returned")" -H "$contractor_key"
  another=$(pay "$contractor" "$requester" 2000000)
  post 409 'another transaction' "/outcome/$failed_id/refund" "$(refund "$another")" -H "$contractor_key"
  is code already-refunded
  check 200 'the refund with its outcome' GET "/outcome/$failed_id"
  show refund
else
  printf '  Left out: this takes a local chain, where the walk can pay for everybody.\n'
fi
check 404 'no such dispute' GET /disputes/00000000-0000-4000-8000-000000000000
is code not-found

title 'Keys'
check 200 'list' GET /agents/me/keys -H "$contractor_key"
show keyId lastFour createdAt current
check 200 'rotate' POST /agents/me/keys -H "$contractor_key"
show keyId apiKey previousKeysExpireAt
new_key="X-API-Key: $(field apiKey)" new_key_id=$(field keyId)
check 200 'the old one goes on for a day' GET /webhooks -H "$contractor_key"
check 204 'revoke the new one' DELETE "/agents/me/keys/$new_key_id" -H "$new_key"
check 401 'it is revoked' GET /webhooks -H "$new_key"

title 'Manners'
check 404 'no such path' GET /nothing
show_header X-Request-Id Content-Type
show type title status detail code requestId
check 405 'no such method' PUT "/reputation/$contractor"
show_header Allow
post 400 'no JSON' /reputation/bulk '["0x'
is code malformed-json
check 415 'no JSON, and says so' POST /reputation/bulk -H 'Content-Type: text/plain' -d 'x'
head -c 1048577 /dev/zero | tr '\0' ' ' >"$folder/large"
post 413 'a byte over a mebibyte' /reputation/bulk "@$folder/large"
check 200 'the head alone' HEAD "/reputation/$contractor"
show_header Content-Length ETag
check 204 'what a browser asks first' OPTIONS /explore/search -H 'Origin: https://example.com' \
  -H 'Access-Control-Request-Method: GET'
show_header Allow Access-Control-Allow-Origin Access-Control-Allow-Methods
check 200 'from another site' GET /explore/leaderboard -H 'Origin: https://example.com'
show_header Access-Control-Allow-Origin Access-Control-Expose-Headers RateLimit-Policy RateLimit

title 'Rate limits'
# What is refused counts too, so this registers nobody; without X-Wallet-Address the client counts alone.
for _ in 1 2 3 4; do
  send POST "$api/agents/register" -H 'Content-Type: application/json' -d '{}'
  printf '  %s  POST    /agents/register\n' "$status"
  [ "$status" = 429 ] && break
done
holds 'the fourth at the latest' [ "$status" = 429 ]
show_header Retry-After RateLimit-Policy RateLimit
is code rate-limited

printf '\n%s checks passed\n' "$passed"
