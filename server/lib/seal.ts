import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import type { Env } from "./env";

const VERSION = 1;
const PURPOSE = `standing/seal/${VERSION}`;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const OVERHEAD = 1 + NONCE_BYTES + TAG_BYTES;

type SealingKey = Pick<Env, "SECRET_KEY">;

/**
 * Encrypts text for storage: AES-256-GCM (NIST SP 800-38D) under a key derived from `SECRET_KEY` by
 * HKDF-SHA256 (RFC 5869). `context` names the owner of the text, for instance
 * `webhook:${webhookId}`. It is authenticated but not stored, and `unseal` needs the same value, so a
 * sealed text that was copied to another row cannot be decrypted there.
 *
 * Layout: version (1 byte), nonce (12), ciphertext, tag (16).
 */
export function seal(env: SealingKey, text: string, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", deriveKey(env, PURPOSE), nonce);
  cipher.setAAD(createAssociatedData(context));
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, ciphertext, cipher.getAuthTag()]);
}

/** Decrypts the text given to `seal`. Throws if the key, `context` or a single bit differs. */
export function unseal(env: SealingKey, sealed: Uint8Array, context: string): string {
  const bytes = Buffer.from(sealed);
  if (bytes.length < OVERHEAD || bytes[0] !== VERSION) {
    throw new Error("not a sealed text of a known version");
  }
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
  const tag = bytes.subarray(-TAG_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", deriveKey(env, PURPOSE), nonce, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(createAssociatedData(context));
  decipher.setAuthTag(tag);
  const ciphertext = bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
}

/** Derived keys: requests need the same few again and again. */
const derivedKeys = new Map<string, Uint8Array>();

/**
 * Derives the key for one purpose from `SECRET_KEY` by HKDF-SHA256 (RFC 5869). `purpose` is a constant
 * of the caller: its keys are kept.
 */
export function deriveKey({ SECRET_KEY }: SealingKey, purpose: string): Uint8Array {
  if (!SECRET_KEY) throw new Error("SECRET_KEY is not set");
  const id = `${purpose} ${SECRET_KEY}`;
  const known = derivedKeys.get(id);
  if (known) return known;
  const key = new Uint8Array(hkdfSync("sha256", SECRET_KEY, "", purpose, 32));
  derivedKeys.set(id, key);
  return key;
}

function createAssociatedData(context: string): Buffer {
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(context, "utf8")]);
}
