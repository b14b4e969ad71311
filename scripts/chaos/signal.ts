/** Sends a signal. Returns whether the process existed. */
export function signalTo(pid: number | undefined, signal: NodeJS.Signals): boolean {
  if (!pid) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}
