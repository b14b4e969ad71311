import { capitalizeFirst } from "@/components/ui/format";

const SET_NAMES: Record<string, string> = {
  guiding: "Cases seen beforehand",
  "held-out": "Cases kept apart",
  starter: "Jobs in nine categories",
  instructions: "Instructions to follow",
  repairs: "Repaired cases",
  "unfinished-blind": "Unfinished work",
  "cutoff2-blind": "Cut-off work",
  "limits2-blind": "Plain limits",
};

/** Returns the plain name of a labelled set: `refusals2-blind` → `Refusals 2`. */
export const nameSet = (set: string): string =>
  SET_NAMES[set] ?? capitalizeFirst(set.replace("-blind", "").replace(/(\d)/, " $1"));
