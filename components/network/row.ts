/** Classes that the rows of all lists share: 44 pixels high, two lines on phones. */
export const CELL = "h-11 py-1 pr-4 whitespace-nowrap last:pr-0 max-md:hidden";
export const ROW = "relative border-b border-line hover:bg-sunken";
/** Makes a link cover its row; links with `ABOVE` stay clickable. */
export const COVER =
  "min-h-6 items-center after:absolute after:inset-0 underline-offset-2 hover:underline";
export const ABOVE = "relative z-10 py-1";
