/** Prints how a command is used and exits with 0, if its arguments ask for that. */
export function offerHelp(usage, args = process.argv.slice(2)) {
  if (!args.includes("--help") && !args.includes("-h")) return;
  console.log(usage);
  process.exit(0);
}
