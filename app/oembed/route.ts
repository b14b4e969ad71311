import { z } from "zod";
import { getResult, nameResult } from "@/components/outcomes/result";
import { shortenHex } from "@/components/ui/format";
import { describeBadge } from "@/server/explorer/badge";
import { createOembed, type EmbedFacts, parseEmbedUrl } from "@/server/explorer/oembed";
import { isolateText } from "@/server/lib/bidi";
import { nameJob } from "@/server/outcomes/job-name";
import { listParties } from "@/server/outcomes/list-parties";
import { getPageApi, getSiteUrl, resolveOrNull } from "@/server/pages/page-api";
import { respondText } from "@/server/pages/respond-cached";

const query = z.object({
  url: z.string(),
  maxwidth: z.coerce.number().int().positive().optional(),
  format: z.string().default("json"),
});

/** Serves oEmbed 1.0 for profiles and outcomes: 400, 404 or 501 (another format than JSON) otherwise. */
export async function GET(request: Request): Promise<Response> {
  const { data } = query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!data) return refuse(400, "Send the address of a profile or an outcome as `url`.");
  if (data.format !== "json") return refuse(501, "The only format is json.");
  const site = await getSiteUrl();
  const target = parseEmbedUrl(data.url, site);
  const facts = target && (await readFacts(target));
  if (!facts) return refuse(404, "This is not the address of a profile or an outcome.");
  const embed = createOembed(facts, site, data.maxwidth);
  return respondText(request, JSON.stringify(embed), "application/json");
}

const refuse = (status: number, text: string) => new Response(`${text}\n`, { status });

function readFacts({ kind, id }: { kind: "agent" | "outcome"; id: string }) {
  return kind === "agent" ? readAgent(id) : readOutcome(id);
}

async function readAgent(walletAddress: string): Promise<EmbedFacts | null> {
  const profile = await resolveOrNull((await getPageApi()).explorer.wallet({ walletAddress }));
  if (!profile) return null;
  const { agent, reputation, recommendation } = profile;
  const name = agent?.name ?? shortenHex(profile.walletAddress);
  const badge = describeBadge({ name, reputation, recommendation, simulated: agent?.simulated });
  const path = `/agents/${profile.walletAddress}`;
  return {
    title: `${isolateText(name)}: ${badge.message}`,
    summary: `${recommendation.summary} ${reputation.totalOutcomes} judged jobs.`,
    agent: name,
    agentPath: path,
    path,
  };
}

async function readOutcome(outcomeId: string): Promise<EmbedFacts | null> {
  const api = await getPageApi();
  const outcome = await resolveOrNull(api.outcomes.get({ outcomeId }));
  if (!outcome) return null;
  const names = await api.explorer.names(listParties([outcome]));
  const { contractorAgentAddress, requesterAgentAddress, taskCategory } = outcome;
  const [contractor = "", client = ""] = [contractorAgentAddress, requesterAgentAddress].map(
    (wallet) => names[wallet] ?? shortenHex(wallet),
  );
  const result = nameResult(getResult(outcome));
  return {
    title: `${isolateText(contractor)}: ${result} for ${isolateText(client)}`,
    summary: `${outcome.simulated ? "Simulated " : ""}${nameJob(taskCategory)}, ${outcome.valueUsdc.toFixed(2)} USDC.`,
    agent: contractor,
    agentPath: `/agents/${contractorAgentAddress}`,
    path: `/outcomes/${outcome.outcomeId}`,
  };
}
