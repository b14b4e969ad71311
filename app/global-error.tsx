"use client";

/** Where not even the frame could be made: without styles and fonts, which may be what is missing. */
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
        <title>Standing is not available</title>
        <h1>Standing is not available right now</h1>
        <p>The fault is ours and has been logged. Nothing you sent is lost.</p>
        <p>
          <button type="button" onClick={reset}>
            Try again
          </button>{" "}
          <a href="/api/health">How the service is</a>
        </p>
      </body>
    </html>
  );
}
