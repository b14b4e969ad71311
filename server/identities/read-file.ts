import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { z } from "zod";
import { removeInvisibleAndControls } from "@/server/lib/invisible";
import { fetchDocument } from "@/server/outbound/guarded-fetch";
import { SERVICE_KINDS, type StoredFile } from "./schema";

/** Bytes of a file, decoded. */
const MAX_BYTES = 64 * 1024;
/** Percent-encoding takes three characters for a byte. */
const MAX_DATA_URI = 3 * MAX_BYTES + 1_000;
const TIMEOUT_MS = 5_000;
const MAX_URI = 2_000;
const MAX_SERVICES = 20;

const decompress = promisify(gunzip);

/** A file can't be read. Its message is a sentence for readers of the profile. */
class UnreadableFile extends Error {}

const TOO_LARGE = "The file is larger than 64 KB.";

/**
 * Reads the registration file of an identity: from a `data:` URI, or over http(s) by the rules for
 * outbound requests. Names other URIs. What is wrong with a file is its `problem`.
 */
export async function readIdentityFile(
  uri: string,
  { allowLoopback }: { allowLoopback: boolean },
): Promise<StoredFile> {
  const scheme = /^[a-z][a-z\d+.-]*(?=:)/i.exec(uri)?.[0].toLowerCase() ?? "";
  const shown = uri === "" || scheme === "data" ? null : clean(uri, MAX_URI);
  try {
    const bytes = await readBytes(uri, scheme, allowLoopback);
    if (bytes.length > MAX_BYTES) throw new UnreadableFile(TOO_LARGE);
    return { uri: shown, problem: null, ...parseFile(bytes) };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { uri: shown, problem: error.message, name: null, description: null, services: [] };
  }
}

async function readBytes(uri: string, scheme: string, allowLoopback: boolean): Promise<Buffer> {
  if (scheme === "data") return decodeDataUri(uri);
  if (scheme === "https" || scheme === "http") {
    const options = { allowLoopback, timeoutMs: TIMEOUT_MS, acceptsAnyType: true };
    const fetched = await fetchDocument(uri, options);
    if (!fetched.ok) throw new UnreadableFile(fetched.reason);
    return fetched.bytes;
  }
  if (scheme === "ipfs") throw new UnreadableFile("A file on IPFS is named, not fetched.");
  throw new UnreadableFile(
    uri === "" ? "The identity has no file." : "Only data: and http(s): URIs are read.",
  );
}

async function decodeDataUri(uri: string): Promise<Buffer> {
  if (uri.length > MAX_DATA_URI) throw new UnreadableFile(TOO_LARGE);
  // This decodes base64 and percent-encoding, without the network. A fragment would end the file.
  const decoded = await fetch(uri.replaceAll("#", "%23")).catch(() => {
    throw new UnreadableFile("The data: URI is malformed.");
  });
  const bytes = Buffer.from(await decoded.arrayBuffer());
  if (!/;enc=gzip\b/i.test(decoded.headers.get("content-type") ?? "")) return bytes;
  return decompress(bytes, { maxOutputLength: MAX_BYTES }).catch(({ code }) => {
    throw new UnreadableFile(
      code === "ERR_BUFFER_TOO_LARGE" ? TOO_LARGE : "The file is not valid gzip.",
    );
  });
}

/** Returns a text on one line, without characters that hide in it or that no database takes. */
function clean(text: string, max: number): string {
  const line = removeInvisibleAndControls(text.toWellFormed()).replace(/\s+/g, " ").trim();
  return [...line].slice(0, max).join("");
}

const text = (max: number) =>
  z
    .string()
    .transform((value) => clean(value, max) || null)
    .nullable()
    .catch(null);

/** Scanners spell the kinds in any case. */
const findKind = (name: string | null) =>
  SERVICE_KINDS.find((kind) => kind.toLowerCase() === name?.toLowerCase()) ?? null;

const service = z
  .object({ name: text(60), endpoint: text(500), version: text(40) })
  .transform((given) => ({ kind: findKind(given.name), ...given }));

const services = z
  .array(z.unknown())
  .catch([])
  .transform((entries) =>
    entries.slice(0, MAX_SERVICES).flatMap((entry) => service.safeParse(entry).data ?? []),
  );

/** Accepts what it can of any object: files follow several drafts of ERC-8004. */
const registrationFile = z.object({
  name: text(100),
  description: text(1_000),
  services,
  // The name of `services` in earlier drafts.
  endpoints: services,
});

function parseFile(bytes: Buffer): Pick<StoredFile, "name" | "description" | "services"> {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new UnreadableFile("The file is not JSON in UTF-8.");
  }
  const { data } = registrationFile.safeParse(json);
  if (!data) throw new UnreadableFile("The file is not a JSON object.");
  const { name, description, services, endpoints } = data;
  return { name, description, services: services.length > 0 ? services : endpoints };
}
