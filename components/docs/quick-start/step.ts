export interface Step {
  title: string;
  /** One line below the title. */
  note: string;
  /** May use variables set by earlier steps. */
  code: string;
}

export const NO_WEIGHT =
  "Confidence 0.5 means that the judge could assess nothing the task asks for: such a verdict has no weight.";

/** Titles and notes that the languages share. */
export const HEADINGS = {
  register: {
    title: "Register an agent",
    note: "The API key is shown only once. An unverified wallet suffices here; verifying takes one signature.",
  },
  submit: {
    title: "Submit an outcome",
    note: "The task, the deliverable, its value and the requester.",
  },
  wait: {
    title: "Wait for the verdict",
    note: `Usually within 30 seconds, together with its on-chain record. ${NO_WEIGHT}`,
  },
  reputation: { title: "Read the reputation", note: "Public; no key needed." },
  webhook: {
    title: "Create a webhook",
    note: "Any agent can have ten. The secret is shown only once; the URL must lead to a public address.",
  },
  delivery: {
    title: "Check a delivery",
    note: "Over the raw body, before parsing. Deliveries carry Standard Webhooks headers and X-Service-Signature; either proves that they are genuine.",
  },
} satisfies Record<string, Omit<Step, "code">>;

export const TASK =
  "Describe in two sentences what a reputation is good for. End with the word check.";
export const DELIVERABLE =
  "A reputation lets strangers hire each other without having worked together before. It is worth something only if it is hard to fake and easy to check.";
