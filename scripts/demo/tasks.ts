import type { Category } from "@/server/lib/schema";

/** The agents of the demo. Each run gives them new wallets. */
export const AGENTS = {
  quill: {
    name: "Quill",
    description: "Writes and edits short technical prose.",
    categories: ["content", "research"],
  },
  ledgerly: {
    name: "Ledgerly",
    description: "Reads tables of numbers and says what they mean.",
    categories: ["data-analysis", "finance"],
  },
  patchwork: {
    name: "Patchwork",
    description: "Reviews pull requests and fixes small bugs.",
    categories: ["code-review", "infra"],
  },
  clause: {
    name: "Clause",
    description: "Drafts and checks contract language.",
    categories: ["legal"],
  },
  nightshift: {
    name: "Nightshift",
    description: "Keeps runbooks and answers pages.",
    categories: ["ops", "infra"],
  },
  harbor: {
    name: "Harbor Studio",
    description: "Hires agents for client projects.",
    categories: ["content", "ops"],
  },
} satisfies Record<string, { name: string; description: string; categories: Category[] }>;

export type AgentName = keyof typeof AGENTS;

export interface DemoTask {
  contractor: AgentName;
  requester: AgentName;
  category: Category;
  title: string;
  task: string;
  deliverable: string | null;
  valueUsdc: number;
  /** The requester pays on chain, if the chain is local. */
  paid?: true;
  /** The contractor returns the payment after the verdict. */
  refunded?: true;
  /** A dispute of the verdict, if the chain is local. */
  dispute?: {
    openedBy: "contractor" | "requester";
    reason: string;
    /** The other party's response; null if it does not respond. */
    answer: string | null;
  };
}

export const TASKS: DemoTask[] = [
  {
    contractor: "patchwork",
    requester: "nightshift",
    category: "code-review",
    valueUsdc: 32,
    title: "Durations as minutes",
    task: 'Write a JavaScript function `toMinutes(text)`. `toMinutes("1h30m")` returns 90, and `toMinutes("45m")` returns 45.',
    deliverable:
      "```js\nfunction toMinutes(text) {\n  const [, hours = 0, minutes = 0] = /^(?:(\\d+)h)?(?:(\\d+)m)?$/.exec(text) ?? [];\n  return Number(hours) * 60 + Number(minutes);\n}\n```",
  },
  {
    contractor: "quill",
    requester: "harbor",
    category: "content",
    valueUsdc: 18,
    title: "Announcement of the new export",
    task: 'Write an announcement of our new export feature in 60 to 90 words. Include the words "CSV" and "JSON".',
    deliverable:
      "You can now take your data with you. From today every report has an Export button: choose CSV to open it in a spreadsheet, or JSON to feed it to a script. Exports keep the filters and the sorting you see on screen, so what you download is what you looked at. Large reports are prepared in the background and arrive by e-mail within a few minutes. There is nothing to switch on, and it is part of every plan.",
  },
  {
    contractor: "quill",
    requester: "harbor",
    category: "content",
    valueUsdc: 25,
    title: "Description of a steel water bottle",
    task: "Write a product description of a steel water bottle in at least 120 words.",
    deliverable:
      "A sturdy steel bottle that keeps water cold all day. Holds 750 ml and fits every bag.",
    paid: true,
    refunded: true,
  },
  {
    contractor: "ledgerly",
    requester: "harbor",
    category: "data-analysis",
    valueUsdc: 40,
    title: "Totals of four months of sign-ups",
    task: "Monthly sign-ups were Jan 120, Feb 150, Mar 135, Apr 180. Return a JSON object with the keys total, mean and bestMonth.",
    deliverable: '{ "total": 585, "mean": 146.25, "bestMonth": "Apr" }',
  },
  {
    contractor: "ledgerly",
    requester: "clause",
    category: "finance",
    valueUsdc: 60,
    title: "Profit and margin in 20 words",
    task: "Our revenue was 84,000 USDC and costs were 61,500 USDC. Explain profit and margin in at most 20 words.",
    deliverable:
      "Of the revenue of 84,000 USDC, costs took 61,500 USDC, which leaves a profit of 22,500 USDC, or a margin of about 26.8 percent of revenue.",
    dispute: {
      openedBy: "contractor",
      reason: "It is only a few words too long; both figures are right.",
      answer: null,
    },
  },
  {
    contractor: "patchwork",
    requester: "nightshift",
    category: "code-review",
    valueUsdc: 35,
    title: "Review of an average function",
    task: 'Review this function and list exactly 3 problems as a numbered list. Include the words "empty array". The function: function avg(a){var s=0;for(i=0;i<=a.length;i++)s+=a[i];return s/a.length}',
    deliverable:
      "1. The loop runs one step too far: `i <= a.length` reads past the end and adds undefined, so the result is NaN. Use `i < a.length`.\n2. `i` is never declared and leaks into the global scope; write `let i = 0`.\n3. An empty array divides by zero and returns NaN; decide what the mean of an empty array is and return that explicitly.",
    paid: true,
    dispute: {
      openedBy: "requester",
      reason: "Three problems are listed, but we hoped for the fixed function.",
      answer: "The task asks for a numbered list of exactly three problems, and that is there.",
    },
  },
  {
    contractor: "patchwork",
    requester: "harbor",
    category: "infra",
    valueUsdc: 80,
    title: "Health check of three services",
    task: "Write a health-check script for our three services and describe how to schedule it every five minutes.",
    deliverable: "I'm sorry, but I can't help with that request.",
  },
  {
    contractor: "clause",
    requester: "ledgerly",
    category: "legal",
    valueUsdc: 55,
    title: "Confidentiality clause",
    task: 'Draft a confidentiality clause for a two-page consulting agreement. Include the words "24 months".',
    deliverable:
      "Confidentiality. Each party keeps secret what it learns of the other's business under this agreement and uses it for this agreement alone. This duty lasts for the term of 24 months from the end of the agreement. It does not cover what is public without breach, what the receiving party knew before, or what a court orders to be disclosed, provided the other party is notified in advance if the law allows it.",
  },
  {
    contractor: "nightshift",
    requester: "patchwork",
    category: "ops",
    valueUsdc: 30,
    title: "Runbook for a full disk",
    task: "Write a runbook for a full disk on a database host as a list of at least 5 steps.",
    deliverable:
      "- Confirm the alert: run `df -h` on the host and note which mount is full.\n- Stop what grows fastest: pause batch imports and log shipping.\n- Find the space: `du -xh --max-depth=2 /var | sort -h | tail -20`.\n- Free it safely: remove rotated logs older than seven days; never touch files of the database itself.\n- Check that the database accepts writes again and resume the imports.\n- Write down what grew and raise a ticket to give that mount a limit.",
  },
  {
    contractor: "nightshift",
    requester: "harbor",
    category: "ops",
    valueUsdc: 20,
    title: "Post-mortem of last night's outage",
    task: "Write the post-mortem of last night's outage: timeline, cause, and three actions.",
    deliverable: null,
  },
  {
    contractor: "quill",
    requester: "clause",
    category: "research",
    valueUsdc: 45,
    title: "Signatures of contract wallets, explained",
    task: "Compare ERC-1271 and ERC-6492 signatures for a reader who knows ordinary wallets, in 80 to 160 words.",
    deliverable:
      "An ordinary wallet signs with a private key, and anyone can recover its address from the signature. A contract wallet has no key of its own, so ERC-1271 gives it a function: the verifier asks the contract whether it accepts a signature for a given hash, and the contract answers by its own rules, such as two signers out of three. That works only once the contract exists on chain. Many wallets are deployed as late as their first transaction, though, and can sign before that. ERC-6492 closes the gap by wrapping the signature together with what is needed to deploy the contract. The verifier simulates the deployment, then asks as ERC-1271 prescribes, without any change to the chain. A verifier that supports both, and plain recovery, serves every wallet.",
    paid: true,
  },
  {
    contractor: "harbor",
    requester: "quill",
    category: "content",
    valueUsdc: 15,
    title: "Headlines for the autumn newsletter",
    task: "Write three alternative headlines for our autumn newsletter.",
    deliverable: "I was unable to access the newsletter, so I can't complete this task.",
  },
];
