// The data elements of the page: base64 parts, raw deflate, JSON. They stay in the document, so that "save page" keeps them.

export function fromBase64(text: string): Uint8Array {
  const native = (Uint8Array as unknown as { fromBase64?: (s: string) => Uint8Array }).fromBase64;
  if (native) return native(text);
  const binary = atob(text);
  const out = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) out[i] = binary.charCodeAt(i);
  return out;
}

export async function inflate(packed: Uint8Array[]): Promise<Uint8Array> {
  const stream = new DecompressionStream('deflate-raw');
  const writer = stream.writable.getWriter();
  const feed = (async () => {
    for (const part of packed) await writer.write(part as Uint8Array<ArrayBuffer>);
    await writer.close();
  })();
  const [buffer] = await Promise.all([new Response(stream.readable).arrayBuffer(), feed]);
  return new Uint8Array(buffer);
}

export function readJson<T>(id: string): T {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null') as T;
}

function part(name: string, i: number): Uint8Array | null {
  const element = document.getElementById(`${name}.${i}`);
  return element ? fromBase64(element.textContent ?? '') : null;
}

/** A deflated section; empty when the page has none of that name. */
export async function readSection(name: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let i = 0; ; i++) {
    const bytes = part(name, i);
    if (!bytes) break;
    parts.push(bytes);
  }
  return parts.length === 0 ? new Uint8Array(0) : inflate(parts);
}

export async function readJsonSection<T>(name: string): Promise<T | null> {
  const bytes = await readSection(name);
  return bytes.length === 0 ? null : (JSON.parse(new TextDecoder().decode(bytes)) as T);
}

/** The stream of packed rows, decoded part by part when first touched. */
export class RowBytes {
  private readonly parts = new Map<number, Uint8Array>();
  static readonly PART = 393216;

  /** A copy of [offset, offset + length) in a buffer of its own. */
  read(offset: number, length: number): Uint8Array {
    const out = new Uint8Array(length);
    let done = 0;
    while (done < length) {
      const index = Math.floor((offset + done) / RowBytes.PART);
      const bytes = this.part(index);
      const from = offset + done - index * RowBytes.PART;
      const chunk = bytes.subarray(from, Math.min(bytes.length, from + length - done));
      if (chunk.length === 0) break;
      out.set(chunk, done);
      done += chunk.length;
    }
    return out;
  }
  private part(index: number): Uint8Array {
    let bytes = this.parts.get(index);
    if (!bytes) {
      // Neighbouring rows share a part; more than a few parts at once only cost memory.
      if (this.parts.size > 8) this.parts.clear();
      this.parts.set(index, (bytes = part('rows', index) ?? new Uint8Array(0)));
    }
    return bytes;
  }
}
