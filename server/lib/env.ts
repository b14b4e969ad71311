import { z } from "zod";
import { StartupError } from "./errors";
import type { DisputeReview } from "./schema";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./time";

/** Whether `npm run dev` started this process: pages are compiled on demand and may use `eval`. */
export const IS_DEVELOPMENT = process.env.NODE_ENV === "development";

/** Whether this process serves the build's output and compiles nothing. */
export const IS_PRODUCTION = process.env.NODE_ENV === "production";

const port = z.coerce.number().int().min(0).max(65_535);
const UNITS_MS = { s: 1_000, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
/** Parses `30s`, `15m`, `12h`, `7d` to milliseconds. */
const duration = z
  .string()
  .regex(/^\d{1,6}[smhd]$/, "must be a whole number and s, m, h or d, as in 30s or 7d")
  .transform(
    (text) => Number(text.slice(0, -1)) * UNITS_MS[text.slice(-1) as keyof typeof UNITS_MS],
  );
const flag = z.stringbool();
/** Order of the group of secp256k1 (SEC 2, section 2.4.1): a private key is smaller, and not zero. */
const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const privateKey = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, { error: "must be 0x and 64 hexadecimal characters", abort: true })
  .refine((key) => BigInt(key) > 0n && BigInt(key) < CURVE_ORDER, "is not a private key");
const block = z.coerce.bigint().min(0n).default(0n);
const LOOPBACK_HOST = /^(localhost|127(\.\d+){3}|::1)$/i;
const address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "must be 0x and 40 hexadecimal characters");

/**
 * Every variable the service reads, parsed once. With nothing set, the service runs in local mode:
 * it starts its own database or chain for each of these groups that is not set.
 */
const schema = z
  .object({
    PORT: port.default(3000),
    HOST: z.string().min(1).default("127.0.0.1"),
    /** Public origin of the service, if it is not `http://HOST:PORT`. */
    PUBLIC_URL: z
      .url({ protocol: /^https?$/, abort: true })
      .transform((url) => new URL(url))
      .refine(
        ({ href, origin }) => href === `${origin}/`,
        "must be only a scheme and a host, as in https://standing.example: pages work at no other path, so use a host of its own",
      )
      .transform(({ origin }) => origin)
      .optional(),
    /** How long a stopping process keeps serving requests, so that proxies can leave it. */
    DRAIN_SECONDS: z.coerce.number().min(0).max(600).default(0),
    DATA_DIR: z.string().min(1).default(".data"),
    /** Level of the JSON lines on stderr. By default "info", which local mode writes to a file. */
    LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).optional(),
    /**
     * Encrypts webhook secrets and seals nonces of wallet proofs: at least 32 bytes in hex or
     * base64.
     */
    SECRET_KEY: z.string().min(32).optional(),
    /** How many proxies in front of the service append to X-Forwarded-For. */
    TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
    PUBLIC_READS_PER_MINUTE: z.coerce.number().int().min(1).default(600),
    /** Lets webhooks and documents on this machine be called. By default with a local chain only. */
    OUTBOUND_ALLOW_LOOPBACK: flag.optional(),
    /** Bearer token for `/api/metrics`; without it that path does not exist. */
    METRICS_TOKEN: z
      .string()
      .regex(/^[!-~]{16,}$/, "must be 16 or more letters, digits and signs, without spaces")
      .optional(),

    /** Published in `/.well-known/security.txt` and in the OpenAPI document. */
    SECURITY_CONTACT: z.url({ protocol: /^(https|mailto)$/ }).optional(),
    /** Where the source can be read. */
    SOURCE_URL: z.url({ protocol: /^https?$/ }).optional(),

    /** Mail server; without it and MAIL_FROM the service sends no e-mail. */
    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    /** Sender of all e-mail: an address, or a name and an address in angle brackets. */
    MAIL_FROM: z
      .string()
      .regex(
        /^(?:[^\s<>@]+@[^\s<>@]+|[^<>@\r\n]+ <[^\s<>@]+@[^\s<>@]+>)$/,
        "must be an address, or a name and an address in angle brackets",
      )
      .optional(),

    /** Lets owners connect by WalletConnect, as the project of this id. */
    WALLETCONNECT_PROJECT_ID: z
      .string()
      .regex(/^[0-9a-f]{32}$/, "must be the 32 hexadecimal characters of a project id")
      .optional(),
    /** Lets owners connect by a Base Account. */
    BASE_ACCOUNT: flag.default(false),

    DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    DATABASE_POOL: z.coerce.number().int().min(1).max(100).default(4),

    CHAIN_RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
    CHAIN_ID: z.coerce.number().int().positive().optional(),
    CHAIN_CONFIRMATIONS: z.coerce.number().int().min(1).optional(),
    REGISTRY_ADDRESS: address.optional(),
    USDC_ADDRESS: address.optional(),
    /** Signs records; its address has the registry's recorder role. */
    RECORDER_KEY: privateKey.optional(),
    /** Receives and returns stakes. */
    STAKE_KEY: privateKey.optional(),
    /** Signs score statements; the signer that the contract at SCORE_GATE_ADDRESS names. */
    STATEMENT_KEY: privateKey.optional(),
    SCORE_GATE_ADDRESS: address.optional(),
    /** ERC-8004 registries. Base and Base Sepolia have defaults; `off` turns the feature off. */
    ERC8004_IDENTITY_ADDRESS: address.or(z.literal("off")).optional(),
    ERC8004_REPUTATION_ADDRESS: address.optional(),
    /** Block from which registrations and feedback are read. */
    ERC8004_FROM_BLOCK: block,
    /** When outcomes of linked agents become feedback in the registry. */
    ERC8004_PUBLISH: z.enum(["off", "after-window", "at-once"]).default("off"),
    /** Gives that feedback. */
    FEEDBACK_KEY: privateKey.optional(),
    /** ERC-8183 escrows, separated by commas, that may name this service's evaluator. */
    ERC8183_ESCROW_ADDRESSES: z
      .string()
      .transform((list) => list.split(",").map((one) => one.trim()))
      .pipe(z.array(address))
      .optional(),
    /** Block from which jobs are read. */
    ERC8183_FROM_BLOCK: block,
    /** Completes and rejects jobs of those escrows. */
    EVALUATOR_KEY: privateKey.optional(),
    /** How long a score statement is valid. In milliseconds, once parsed. */
    STATEMENT_TTL: duration
      .refine((ms) => ms >= MINUTE_MS && ms <= 30 * DAY_MS, "must be from 1m to 30d")
      .default(DAY_MS),

    /** `1` or the dev server's URL; `0` and `false` mean unset, as in Inngest's SDK. */
    INNGEST_DEV: z
      .string()
      .transform((value) => (value === "0" || value === "false" ? undefined : value))
      .optional(),
    INNGEST_BASE_URL: z.url().optional(),
    INNGEST_EVENT_KEY: z.string().optional(),
    INNGEST_SIGNING_KEY: z.string().optional(),
    /** Another key whose signatures are accepted, during a key rotation. */
    INNGEST_SIGNING_KEY_FALLBACK: z.string().optional(),
    /** Origin at which the Inngest server reaches this service, if not `PUBLIC_URL`. */
    INNGEST_SERVE_ORIGIN: z.url({ protocol: /^https?$/ }).optional(),
    /** Days that finished runs and their events are kept. */
    RUN_RETENTION: z.coerce.number().min(0).default(30),

    /** How long after its resolution an outcome can be disputed. In milliseconds, once parsed. */
    DISPUTE_WINDOW: duration.default(7 * DAY_MS),
    /** How long the other party of a dispute has to respond. In milliseconds, once parsed. */
    DISPUTE_RESPONSE_WINDOW: duration.default(30_000),

    OPENAI_API_KEY: z.string().min(1).optional(),
    OPENAI_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
    JUDGE_MODEL: z.string().min(1).optional(),
    /** Model of the second examination, and of a third one; the same model if not set. */
    JUDGE_ESCALATION_MODEL: z.string().min(1).optional(),
    /** Time limit for one response of a model. */
    JUDGE_TIMEOUT_SECONDS: z.coerce.number().min(1).max(600).default(60),
    /** USD per million tokens, to report the cost of a judgement. */
    JUDGE_PRICE_INPUT: z.coerce.number().min(0).optional(),
    JUDGE_PRICE_CACHED_INPUT: z.coerce.number().min(0).optional(),
    JUDGE_PRICE_OUTPUT: z.coerce.number().min(0).optional(),
    /** Concurrent calls to models, in each process; a quarter of them are for slow texts. */
    JUDGE_CONCURRENCY: z.coerce.number().int().min(1).default(8),
  })
  .superRefine((env, issue) => {
    const requireVariable = (variable: string, reason: string) =>
      issue.addIssue({ code: "custom", path: [variable], message: `is needed ${reason}` });
    if (env.CHAIN_RPC_URL) {
      for (const name of [
        "REGISTRY_ADDRESS",
        "USDC_ADDRESS",
        "RECORDER_KEY",
        "STAKE_KEY",
      ] as const) {
        if (!env[name]) requireVariable(name, "when CHAIN_RPC_URL is set");
      }
    }
    if (env.CHAIN_RPC_URL && !env.PUBLIC_URL && !LOOPBACK_HOST.test(env.HOST)) {
      requireVariable("PUBLIC_URL", "when CHAIN_RPC_URL is set and HOST is not a loopback address");
    }
    if (env.CHAIN_RPC_URL && !env.STATEMENT_KEY !== !env.SCORE_GATE_ADDRESS) {
      const [missing, given] = env.STATEMENT_KEY
        ? ["SCORE_GATE_ADDRESS", "STATEMENT_KEY"]
        : ["STATEMENT_KEY", "SCORE_GATE_ADDRESS"];
      requireVariable(missing, `when ${given} is set`);
    }
    if (!env.SMTP_URL !== !env.MAIL_FROM) {
      const [missing, given] = env.SMTP_URL ? ["MAIL_FROM", "SMTP_URL"] : ["SMTP_URL", "MAIL_FROM"];
      requireVariable(missing as string, `when ${given} is set`);
    }
    if (env.ERC8004_PUBLISH !== "off" && !env.FEEDBACK_KEY) {
      requireVariable("FEEDBACK_KEY", "when ERC8004_PUBLISH is not off");
    }
    if (env.ERC8183_ESCROW_ADDRESSES && !env.EVALUATOR_KEY) {
      requireVariable("EVALUATOR_KEY", "when ERC8183_ESCROW_ADDRESSES is set");
    }
    // Each key has nonces and a purpose of its own.
    const used = [env.RECORDER_KEY, env.STAKE_KEY].map((key) => key?.toLowerCase());
    for (const name of ["STATEMENT_KEY", "FEEDBACK_KEY", "EVALUATOR_KEY"] as const) {
      const key = env[name]?.toLowerCase();
      if (key !== undefined && used.includes(key)) {
        const message = "must differ from RECORDER_KEY and STAKE_KEY, and from every other key";
        issue.addIssue({ code: "custom", path: [name], message });
      }
      used.push(key);
    }
    if (env.DATABASE_URL && env.CHAIN_RPC_URL && !env.SECRET_KEY) {
      requireVariable("SECRET_KEY", "outside local mode");
    }
    if (env.INNGEST_BASE_URL && !(env.INNGEST_EVENT_KEY && env.INNGEST_SIGNING_KEY)) {
      requireVariable(
        "INNGEST_EVENT_KEY",
        "and INNGEST_SIGNING_KEY too, when INNGEST_BASE_URL is set",
      );
    }
    if (env.INNGEST_BASE_URL && !(env.INNGEST_SERVE_ORIGIN ?? env.PUBLIC_URL)) {
      requireVariable("INNGEST_SERVE_ORIGIN", "when INNGEST_BASE_URL is set and PUBLIC_URL is not");
    }
    if ((env.OPENAI_BASE_URL || env.OPENAI_API_KEY) && !env.JUDGE_MODEL) {
      requireVariable("JUDGE_MODEL", "when a model endpoint is configured");
    }
  });

export type Env = z.infer<typeof schema>;

/** Returns the URL of this service on this machine: clients cannot open 0.0.0.0. */
export function getLocalUrl({ HOST, PORT }: Env): string {
  const isReachableAsLocalhost = ["0.0.0.0", "::", "127.0.0.1", "::1"].includes(HOST);
  return `http://${isReachableAsLocalhost ? "localhost" : HOST}:${PORT}`;
}

/** Returns the public URL of this service, without a trailing slash. */
export const getPublicUrl = (env: Env): string => env.PUBLIC_URL ?? getLocalUrl(env);

type ModelEnv = Pick<Env, "OPENAI_API_KEY" | "OPENAI_BASE_URL">;

/** Returns how many different language models judge. */
export function countModels(
  env: Pick<Env, "JUDGE_MODEL" | "JUDGE_ESCALATION_MODEL"> & ModelEnv,
): number {
  const { JUDGE_MODEL: model, JUDGE_ESCALATION_MODEL: escalation = model } = env;
  return hasModel(env) ? new Set([model, escalation]).size : 0;
}

/** Returns whether a language model is configured; if not, the built-in judge decides. */
export function hasModel({ OPENAI_API_KEY, OPENAI_BASE_URL }: ModelEnv): boolean {
  return Boolean(OPENAI_API_KEY || OPENAI_BASE_URL);
}

export function getDisputeReview(env: ModelEnv): DisputeReview {
  return hasModel(env) ? "model" : "checks-only";
}

/** Parses the environment. Throws a `StartupError` that names each wrong variable. */
export function parseEnv(source: Record<string, string | undefined> = process.env): Env {
  const set = Object.entries(source).filter(([, value]) => value !== undefined && value !== "");
  const parsed = schema.safeParse(Object.fromEntries(set));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new StartupError(`The configuration is wrong:\n${lines.join("\n")}`);
}
