import { summarizeRecords } from "@/components/account/own-records";
import { StayCurrent } from "@/components/account/stay-current";
import { getOwnerApi } from "@/server/pages/page-api";

/** Keeps a page of the owner of `wallet` current. */
export async function LiveRecords({ wallet }: { wallet: string }) {
  const api = await getOwnerApi();
  const records = await Promise.all([
    api.explorer.outcomes({ walletAddress: wallet }),
    api.disputes.list({}),
    api.agreements.list({}),
  ]);
  return <StayCurrent wallet={wallet} shown={summarizeRecords(records, Date.now())} />;
}
