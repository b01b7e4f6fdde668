// Files that the page gives out: tables as CSV, the picture as PNG. Made in the browser; nothing is sent.

export type Cell = string | number | bigint | null;

/** RFC 4180; text that a spreadsheet would take for a formula gets an apostrophe before it, as in the CSV of `profiler export`. */
export function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  // eslint-disable-next-line no-control-regex
  const text = cell.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
  const safe = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
export function csv(head: string[], rows: Iterable<Cell[]>): string {
  const lines = [head.map(csvCell).join(',')];
  for (const row of rows) lines.push(row.map(csvCell).join(','));
  return `${lines.join('\n')}\n`;
}

/** Offers `content` as a download. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
export function saveCsv(name: string, head: string[], rows: Iterable<Cell[]>): void {
  saveFile(name, new Blob(['\ufeff', csv(head, rows)], { type: 'text/csv' })); // the mark tells spreadsheets that it is UTF-8
}
/** The canvases one upon the other, as they are on the screen. */
export function savePng(name: string, layers: HTMLCanvasElement[]): void {
  const canvas = document.createElement('canvas');
  canvas.width = layers[0]!.width;
  canvas.height = layers[0]!.height;
  const ctx = canvas.getContext('2d')!;
  for (const layer of layers) ctx.drawImage(layer, 0, 0);
  canvas.toBlob((blob) => { if (blob) saveFile(name, blob); }, 'image/png');
}
