import { PAGES } from "@/components/site/pages";
import { CATEGORIES } from "@/server/lib/schema";
import { renderSitemap } from "@/server/pages/discovery";
import { getPageApi, getSiteUrl, resolveOrNull } from "@/server/pages/page-api";
import { respondText } from "@/server/pages/respond-cached";

/** Serves `pages.xml` or `agents-N.xml`, with N counted from 1. */
export async function GET(
  request: Request,
  { params }: RouteContext<"/sitemaps/[name]">,
): Promise<Response> {
  const [url, paths] = await Promise.all([getSiteUrl(), listPaths((await params).name)]);
  if (!paths) return new Response("There is no such sitemap.\n", { status: 404 });
  return respondText(request, renderSitemap(paths.map((path) => url + path)), "application/xml");
}

async function listPaths(name: string): Promise<string[] | null> {
  if (name === "pages.xml") return listSitePaths();
  const page = /^agents-([1-9]\d{0,5})\.xml$/.exec(name)?.[1];
  if (!page) return null;
  const api = await getPageApi();
  const wallets = await resolveOrNull(api.explorer.walletsOfPage({ page: Number(page) - 1 }));
  return wallets?.map((wallet) => `/agents/${wallet}`) ?? null;
}

/** Returns the paths of the pages that search engines may list. */
function listSitePaths(): string[] {
  const routes = PAGES.filter(
    ({ route, isOwnerPage }) =>
      !isOwnerPage && !route.includes("[") && !["/search", "/email"].includes(route),
  ).map(({ route }) => route);
  return [...routes, ...CATEGORIES.map((category) => `/leaderboard/${category}`)];
}
