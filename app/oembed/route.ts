import { z } from "zod";
import { describeAgentPage, describeOutcomePage } from "@/components/social/describe-page";
import { shortenHex } from "@/components/ui/format";
import { createOembed, parseEmbedUrl } from "@/server/explorer/oembed";
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

async function readFacts({ kind, id }: { kind: "agent" | "outcome"; id: string }) {
  const api = await getPageApi();
  if (kind === "agent") {
    const profile = await resolveOrNull(api.explorer.wallet({ walletAddress: id }));
    if (!profile) return null;
    const page = describeAgentPage(profile);
    return { ...page, agent: page.title, agentPath: page.path };
  }
  const outcome = await resolveOrNull(api.outcomes.get({ outcomeId: id }));
  if (!outcome) return null;
  const names = await api.explorer.names(listParties([outcome]));
  const wallet = outcome.contractorAgentAddress;
  const agent = names[wallet] ?? shortenHex(wallet);
  return { ...describeOutcomePage(outcome, names), agent, agentPath: `/agents/${wallet}` };
}
