import { chmod, chown, mkdir, mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isRoot, ROOTS_FOLDER, reachableByOthers } from "./postgres-binaries";

export interface User {
  uid: number;
  gid: number;
}

interface Home {
  home: string;
  /** Whom Postgres runs as, where that is not whoever runs this. */
  user: User | undefined;
}

/** Postgres refuses to run as root; this user owns nothing else. */
const NOBODY: User = { uid: 65_534, gid: 65_534 };

/**
 * The folder that the cluster really lives in; made when missing. As root it must be one which
 * the user that Postgres runs as can reach; a project below root's own home is not, so its data
 * goes below /var/lib, and a file in `folder` tells where.
 */
export async function postgresHome(folder: string): Promise<Home> {
  const wanted = resolve(folder);
  await mkdir(wanted, { recursive: true, mode: 0o755 });
  if (!isRoot()) return { home: wanted, user: undefined };
  const home = (await reachableByOthers(dirname(wanted))) ? wanted : await elsewhere(wanted);
  // Somebody else's cluster stays theirs: Postgres insists on owning it.
  const cluster = await stat(join(home, "cluster")).catch(() => null);
  const user = cluster?.uid ? { uid: cluster.uid, gid: cluster.gid } : NOBODY;
  await chmod(home, 0o755);
  await chown(home, user.uid, user.gid);
  return { home, user };
}

async function elsewhere(wanted: string): Promise<string> {
  const note = join(wanted, "lies-in");
  const known = await readFile(note, "utf8").catch(() => "");
  if (known) return known.trim();
  await mkdir(ROOTS_FOLDER, { recursive: true, mode: 0o755 });
  await chmod(ROOTS_FOLDER, 0o755);
  const made = await mkdtemp(join(ROOTS_FOLDER, "data-"));
  await writeFile(note, `${made}\n`);
  return made;
}
