// What Perfetto itself reads from a trace: its trace processor (WebAssembly, third_party/perfetto) answers SQL.
// Usage: node tools/perfetto.mjs TRACE SQL...     prints a JSON array with one array of rows (objects) per query.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import vm from "node:vm";

const folder = fileURLToPath(new URL("../third_party/perfetto/", import.meta.url));

// The glue is written for a browser's worker: it is given the few names of one that it asks for.
function startProcessor() {
  globalThis.self = globalThis;
  globalThis.WorkerGlobalScope = class {};
  globalThis.location = { href: pathToFileURL(folder).href };
  globalThis.XMLHttpRequest = class {
    open() {}
    send() {
      this.response = readFileSync(`${folder}trace_processor.wasm`);
    }
  };
  // Only the 32-bit module is in the package.
  const glue = readFileSync(`${folder}engine_bundle.node.js`, "utf8").replace("this.useMemory64 = hasMemory64Support();", "this.useMemory64 = false;");
  vm.runInThisContext(glue, { filename: "engine_bundle.node.js" });
}

// Requests and answers go through a port; ours calls straight into the module.
class Port {
  postMessage(data) {
    this.answer(data);
  }
  // The module says nothing when it is ready; until then it has no memory to put a request into.
  async send(data) {
    for (let waited = 0; ; waited += 20) {
      try {
        return this.onmessage({ data });
      } catch (error) {
        if (!(error instanceof TypeError) || waited > 30000) throw error;
        await delay(20);
      }
    }
  }
}

async function open(trace) {
  const { EngineBase } = await import(pathToFileURL(`${folder}engine.mjs`).href);
  startProcessor();
  const port = new Port();
  globalThis.onmessage({ data: port });
  class Engine extends EngineBase {
    id = "perfetto";
    mode = "WASM";
    queue = Promise.resolve();
    rpcSendRequestBytes(data) {
      this.queue = this.queue.then(() => port.send(data));
      this.queue.catch((error) => {
        console.error(String(error));
        process.exit(1);
      });
    }
  }
  const engine = new Engine();
  port.answer = (data) => engine.onRpcResponseBytes(data);
  const bytes = readFileSync(trace);
  for (let at = 0; at < bytes.length; at += 16 << 20) await engine.parse(bytes.subarray(at, at + (16 << 20)));
  await engine.notifyEof();
  return engine;
}

const [trace, ...queries] = process.argv.slice(2);
console.warn = () => {}; // its own notes on fields that this version of the decoder does not know
const engine = await open(trace);
const out = [];
for (const sql of queries) {
  const result = await engine.query(sql);
  const rows = [];
  for (const row = result.iter({}); row.valid(); row.next()) rows.push(Object.fromEntries(result.columns().map((name) => [name, row.get(name)])));
  out.push(rows);
}
// JSON has integers of any length, JavaScript's numbers do not: they are marked as text, and the marks taken off.
const mark = randomUUID();
const text = JSON.stringify(out, (_, value) => (typeof value === "bigint" ? `${mark}${value}` : value));
process.stdout.write(text.replace(new RegExp(`"${mark}(-?\\d+)"`, "g"), "$1") + "\n", () => process.exit(0));
