/**
 * Calls `end` when npm, which runs the script `name`, has ended. npm forwards signals, but a killed
 * npm cannot, and would leave this process orphaned.
 */
export function onNpmEnd(name, end) {
  if (process.env.npm_lifecycle_event !== name) return;
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) end();
  }, 500).unref();
}
