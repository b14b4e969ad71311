const OLLAMA_PORT = 11_434;
const TIMEOUT_MS = 500;

/** Returns in one line how to judge with an Ollama of this machine; null if none responds. */
export async function findLocalModel(port = OLLAMA_PORT): Promise<string | null> {
  const url = `http://127.0.0.1:${port}`;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${url}/api/version`, { signal, redirect: "error" });
    const body = (await response.json()) as { version?: unknown };
    if (!response.ok || typeof body.version !== "string") return null;
    return `Ollama runs here: OPENAI_BASE_URL=${url}/v1 and JUDGE_MODEL (see ollama list) use it.`;
  } catch {
    return null;
  }
}
