// The operator's command for anchors, the requesters that the operator trusts. It stores each request
// in the service's database, and waits until the running service has recorded it on chain.
import { runAnchors } from "./anchors/run";

process.exitCode = await runAnchors(process.argv.slice(2));
