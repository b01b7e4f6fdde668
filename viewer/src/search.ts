// Search: the pattern is matched once against the name dictionary; items are then compared by number.

/** "/re/" and "re:..." are regular expressions, anything else is a part of the name; case does not matter. */
export function compile(query: string): ((text: string) => boolean) | null {
  const q = query.trim();
  if (q === '') return null;
  const slashes = /^\/(.+)\/$/.exec(q);
  if (slashes || q.startsWith('re:')) {
    try {
      const re = new RegExp(slashes ? slashes[1]! : q.slice(3), 'i');
      return (text) => re.test(text);
    } catch {
      return null;
    }
  }
  const lower = q.toLowerCase();
  return (text) => text.toLowerCase().includes(lower);
}

/** 1 for each name that matches, by its text or by its type. */
export function matchNames(query: string, texts: readonly string[], types: readonly string[]): Uint8Array | null {
  const test = compile(query);
  if (!test) return null;
  const hits = new Uint8Array(texts.length);
  for (let i = 0; i < texts.length; i++) hits[i] = test(texts[i]!) || (types[i] !== '' && test(types[i]!)) ? 1 : 0;
  return hits;
}
