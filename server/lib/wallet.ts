import { keccak256 } from "js-sha3";
import type { Address } from "viem";
import { z } from "zod";

const ADDRESS_META = {
  description: "Wallet address, any letter case",
  example: "0x52908400098527886E0F7030069857D2E4169EE7",
};

const addressSchema = z
  .string()
  .regex(/^0[xX][0-9a-fA-F]{40}$/, "must be 0x followed by 40 hexadecimal characters");

/** A wallet address as sent, in any letter case. The procedure converts it to checksum form. */
export const rawWalletSchema = addressSchema.meta(ADDRESS_META);

/**
 * A wallet address in any letter case, parsed to EIP-55 checksum form, the one form in which the
 * service stores, compares and returns addresses.
 */
export const walletSchema = addressSchema
  .transform((value): Address => toChecksumAddress(value))
  .meta(ADDRESS_META);

/** An address in a response: EIP-55 checksum form. */
export const walletOutputSchema = z
  .string()
  .meta({ description: "Wallet address in EIP-55 checksum form", pattern: "^0x[0-9a-fA-F]{40}$" });

const LOWERCASE_FORM = /^0x[0-9a-f]{40}$/;
const LOWERCASE_A = 97;
const TO_UPPERCASE = -32;

/**
 * Returns the EIP-55 form of an address. Throws if `value` is not an address. A bulk read calls it
 * a hundred times, and `getAddress` of viem takes ten times as long.
 */
export function toChecksumAddress(value: string): Address {
  const address = value.toLowerCase();
  if (!LOWERCASE_FORM.test(address)) throw new TypeError(`${value} is not a wallet address`);
  const hash = keccak256.array(address.slice(2));
  const codes: number[] = [];
  for (let i = 0; i < address.length; i++) {
    const code = address.charCodeAt(i);
    // After 0x, each character corresponds to four bits of the hash. A letter is a capital if their
    // value is 8 or more.
    const byte = hash[(i - 2) >> 1] ?? 0;
    const bits = i % 2 === 0 ? byte >> 4 : byte & 15;
    codes.push(i > 1 && bits > 7 && code >= LOWERCASE_A ? code + TO_UPPERCASE : code);
  }
  return String.fromCharCode(...codes) as Address;
}
