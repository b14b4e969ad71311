/**
 * Builds a one-page PDF with this content stream; `filter` and `trailer` are PDF dictionary
 * entries.
 */
export function pdfFile(
  content: string | Uint8Array,
  { filter = "", trailer = "" }: { filter?: string; trailer?: string } = {},
): Buffer {
  const stream = Buffer.from(content);
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    Buffer.concat([
      Buffer.from(`<< /Length ${stream.length} ${filter} >>\nstream\n`),
      stream,
      Buffer.from("\nendstream"),
    ]),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let file = Buffer.from("%PDF-1.4\n");
  const entries = objects.map((object, index) => {
    const entry = `${String(file.length).padStart(10, "0")} 00000 n \n`;
    file = Buffer.concat([
      file,
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from("\nendobj\n"),
    ]);
    return entry;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}`;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.concat([file, Buffer.from(table + end)]);
}

/** Builds a PDF that shows these lines. */
export function pdfOf(...lines: string[]): Buffer {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, "\\$&")}) Tj 0 -14 Td`);
  return pdfFile(`BT /F1 12 Tf 72 720 Td ${shown.join(" ")} ET`);
}
