// What the manual uses of Foundry's `cast`: wallet sign --private-key KEY --data JSON
import { parseArgs } from "node:util";
import { privateKeyToAccount } from "viem/accounts";

const { values } = parseArgs({
  options: { "private-key": { type: "string" }, data: { type: "string" } },
  allowPositionals: true,
});
const account = privateKeyToAccount(values["private-key"]);
console.log(await account.signTypedData(JSON.parse(values.data)));
