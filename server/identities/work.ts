import type { Core } from "@/server/lib/context";
import type { Work } from "@/server/lib/work";
import { indexRegistrations } from "./index-registrations";
import { readDueFiles } from "./read-due-files";
import { recheckLinks } from "./recheck-links";

/** News of the ERC-8004 identity registry, and the links and files that are due to be checked. */
export const identities: Work<{ core: Core }> = {
  name: "identities",
  async sweep({ core }) {
    if (!core.chain.erc8004) return;
    await indexRegistrations(core);
    await recheckLinks(core);
    await readDueFiles(core);
  },
};
