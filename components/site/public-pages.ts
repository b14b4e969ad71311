import { PAGES } from "./pages";

/** Routes of files and data whose paths look like those of a page. */
const OTHER_ROUTES = ["/leaderboard/export"];

const PATHS = PAGES.filter(({ isOwnerPage, isLive }) => !isOwnerPage && !isLive).map(({ route }) =>
  route.replace(/\[\w+\]/g, "[^/]+"),
);
const PATTERN = new RegExp(`^(?:${PATHS.join("|")})$`);

/** Whether `path`, without a query, is a page that is the same for all signed-out visitors of a moment. */
export const isPublicPage = (path: string): boolean =>
  PATTERN.test(path) && !OTHER_ROUTES.includes(path);
