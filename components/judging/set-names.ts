const SET_NAMES: Record<string, string> = {
  starter: "Jobs in nine categories",
  instructions: "Instructions to follow",
  calculations: "Calculations",
  code: "Code",
  citations: "Citations",
  repairs: "Repaired cases",
  "instructions-blind": "Instructions, blind",
  "refusals-blind": "Refusals, blind",
  "finance-blind": "Finance, blind",
  "code-blind": "Code, blind",
  "research-blind": "Research, blind",
  "jobs-blind": "Jobs, blind",
  "refusals2-blind": "Refusals 2, blind",
  "refusals3-blind": "Refusals 3, blind",
  "unfinished-blind": "Unfinished work, blind",
  "cutoff2-blind": "Cut-off work, blind",
  "arithmetic-blind": "Arithmetic, blind",
  "limits-blind": "Limits, blind",
  "limits2-blind": "Plain limits, blind",
  "programs-blind": "Programs, blind",
  "quotations-blind": "Quotations, blind",
  "quotations2-blind": "Quotations 2, blind",
};

/** Returns the plain name of a labelled set. */
export const nameSet = (set: string): string => SET_NAMES[set] ?? set;
