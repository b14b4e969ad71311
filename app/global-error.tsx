"use client";

/** Replaces a root layout that failed. Inline styles only: stylesheets and fonts may be missing. */
export default function GlobalError({ reset }: { error: Error; reset: () => void }) {
  return (
    <html lang="en" style={{ colorScheme: "light dark" }}>
      <body
        style={{
          fontFamily: "system-ui, sans-serif",
          lineHeight: 1.5,
          margin: "4rem auto",
          maxWidth: "32rem",
          padding: "0 1rem",
        }}
      >
        <title>Standing is unavailable</title>
        <h1 style={{ fontSize: "1.75rem", fontWeight: 600, margin: "0 0 0.75rem" }}>
          Standing is unavailable right now
        </h1>
        <p>It's our fault, and it has been logged. Nothing you sent is lost.</p>
        <p style={{ alignItems: "center", display: "flex", gap: "1rem", marginTop: "1rem" }}>
          <button
            type="button"
            onClick={reset}
            style={{ border: "1px solid", borderRadius: "0.375rem", padding: "0.5rem 1rem" }}
          >
            Try again
          </button>
          <a href="/api/health" style={{ textDecoration: "underline" }}>
            Service status
          </a>
        </p>
      </body>
    </html>
  );
}
