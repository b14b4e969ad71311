import { z } from "zod";
import { idSchema, tierSchema } from "@/server/lib/schema";
import { walletOutputSchema, walletSchema } from "@/server/lib/wallet";

/** Most agents on a watch list. */
export const MAX_WATCHED = 100;

export const watchedInput = z.strictObject({ walletAddress: walletSchema });

export const addressInput = z.strictObject({ address: z.email().max(254) });

/** Of the links in a mail. */
export const mailLinkInput = z.strictObject({ id: idSchema, token: z.string().max(100) });
export type MailLinkInput = z.infer<typeof mailLinkInput>;

/** Whose alerts go to which address. */
export const linkedAddress = z.strictObject({
  address: z.string(),
  wallet: walletOutputSchema,
  name: z.string(),
});

const watchedAgent = z.strictObject({
  walletAddress: walletOutputSchema,
  name: z.string().nullable(),
  tier: tierSchema,
  /** Titles of its risks. */
  risks: z.array(z.string()),
});

export const alerts = z.strictObject({
  /** Whether this service sends e-mail. */
  sendsMail: z.boolean(),
  email: z
    .strictObject({
      address: z.string(),
      /** `refused`: the mail server does not accept mail to it any more. */
      state: z.enum(["unconfirmed", "confirmed", "refused"]),
    })
    .nullable(),
  watched: z.array(watchedAgent),
});
export type Alerts = z.infer<typeof alerts>;

export const emailAction = z.enum(["confirm", "unsubscribe"]);

/** Query of the page where the links in mails lead. */
export const emailPageQuery = z.object({
  action: emailAction.optional(),
  ...mailLinkInput.partial().shape,
  /** What was done. */
  result: z.enum([...emailAction.options, "invalid"]).optional(),
});

/** Query of the alerts page. */
export const alertsPageQuery = z.object({
  /** A wallet to add to the list. */
  watch: walletSchema.optional(),
});
