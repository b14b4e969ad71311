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
        <h1>Standing is unavailable right now</h1>
        <p>It's our fault, and it has been logged. Nothing you sent is lost.</p>
        <p>
          <button type="button" onClick={reset}>
            Try again
          </button>{" "}
          <a href="/api/health">Service status</a>
        </p>
      </body>
    </html>
  );
}
