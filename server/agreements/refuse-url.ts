import { AppError } from "@/server/lib/errors";
import type { Terms } from "./schema";

/** Throws `agreement-mismatch` for a URL under terms that only take content. */
export function refuseUrl({ delivery }: Pick<Terms, "delivery">, deliverableUrl: unknown): void {
  if (deliverableUrl === undefined || delivery === "content-or-url") return;
  const pointer = "#/deliverableUrl";
  const detail = "must be left out: the terms take `deliverableContent` alone";
  throw new AppError("agreement-mismatch", `${pointer} ${detail}.`, {
    errors: [{ pointer, detail, code: "not-as-agreed" }],
  });
}
