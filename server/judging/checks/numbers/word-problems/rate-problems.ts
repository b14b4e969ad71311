import { Exact } from "@/server/judging/checks/numbers/figures";
import { kind, type ProblemKind, part } from "./problem-kind";

const ONE = new Exact(1);
/** Values that state the same time in hours, minutes, and both. */
const inHours = (hours: Exact): Exact[] => [hours, hours.mul(60)];
const SPEED =
  "(?:km/h|kph|mph|km per hour|(?:kilometers|kilometres) (?:per|an) hour|miles (?:per|an) hour)";
const DISTANCE = "(?:km|(?:kilometers|kilometres)|miles)";

export const RATE_PROBLEMS: ProblemKind[] = [
  kind(
    "distance",
    [
      `\\b(?:travels?|drives?|moves|flies|runs|cycles|rides|goes|going|at)\\b[^.?\\d]{0,40}# ?${SPEED}\\b[^.?\\d]{0,30}\\bfor #\\s?(?:hours?|h)\\b`,
      "\\bhow far\\b|\\bwhat distance\\b|\\bhow many (?:km|kilometers|kilometres|miles)",
    ],
    (speed, hours) => (speed && hours ? [speed.mul(hours)] : []),
  ),
  kind(
    "average speed",
    [`# ?${DISTANCE} in #\\s?(?:hours?|h)\\b`, "\\b(?:average )?speed\\b|\\bhow fast\\b"],
    (distance, hours) => (distance && hours ? [distance.div(hours)] : []),
  ),
  kind(
    "travel time",
    [`\\bhow long\\b[^.?\\d]{0,60}# ?${DISTANCE}\\b[^.?\\d]{0,40}# ?${SPEED}`],
    (distance, speed) => (distance && speed ? inHours(distance.div(speed)) : []),
  ),
  kind(
    "time until they meet",
    [
      `# ?${DISTANCE} apart\\b`,
      `\\b(?:towards?|meet)\\b`,
      `# ?${SPEED} and[^.?\\d]{0,30}# ?${SPEED}`,
      "\\b(?:when|how (?:long|many hours)|after how)\\b",
    ],
    (distance, first, second) =>
      distance && first && second ? inHours(distance.div(first.plus(second))) : [],
  ),
  kind(
    "time together",
    [
      "\\b(?:in|takes?(?: (?:him|her|it|them|[A-Z][a-z]+))?) # (?:hours?|minutes?|days?)\\b[^.?\\d]{0,80}\\b(?:in|takes?(?: (?:him|her|it|them|[A-Z][a-z]+))?)\\b[^.?\\d]{0,15}# (?:hours?|minutes?|days?)\\b",
      "\\bhow (?:long|many (?:hours|minutes|days))\\b[^?]{0,60}\\btogether\\b|\\btogether\\b[^?]{0,60}\\bhow (?:long|many (?:hours|minutes|days))\\b",
      "\\b(?:fills?|paints?|mows?|cleans?|builds?|finish(?:es)?|completes?|digs?|do(?:es)? (?:the|a) job|pumps?)\\b",
    ],
    (first, second) =>
      first && second ? inHours(ONE.div(ONE.div(first).plus(ONE.div(second)))) : [],
    /\bboth\b/gi,
  ),
  kind(
    "concentration of a mixture",
    [
      "# ?[a-z]{1,12} of (?:an? )?#% [a-z ]{2,40}(?:with|and|to|into)[^.?\\d]{0,20}# ?[a-z]{1,12} of (?:an? )?#%",
      "\\b(?:what is|what's|find|what will be)\\b[^?]{0,30}\\b(?:concentration|percent\\w*|strength)\\b",
    ],
    (first, one, second, other) =>
      first && one && second && other
        ? [
            first
              .mul(part(one))
              .plus(second.mul(part(other)))
              .div(first.plus(second)),
          ]
        : [],
  ),
];
