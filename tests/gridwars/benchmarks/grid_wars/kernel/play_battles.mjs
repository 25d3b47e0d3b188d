// Plays battles on the kernel outside Python, as a browser would: `node play_battles.mjs kernel.wasm`, battles on
// standard input as [{programs: [base64 or null], job: base64}], digests on standard output. In a job the programs
// have the numbers in which they are loaded, from 0.
import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const { memory, input, output, load, unload, play } = instance.exports;

function write(base64) {
  const bytes = Buffer.from(base64, "base64");
  new Uint8Array(memory.buffer).set(bytes, input());
  return bytes.length;
}

const digests = [];
for (const { programs, job } of JSON.parse(readFileSync(0, "utf8"))) {
  unload();
  for (const program of programs.filter((one) => one !== null)) {
    const number = load(write(program));
    if (number < 0) throw new Error(`program refused: ${number}`);
  }
  write(job);
  if (play(1) !== 1) throw new Error("job refused");
  digests.push(new DataView(memory.buffer).getBigUint64(output() + 16, true).toString(16).padStart(16, "0"));
}
console.log(JSON.stringify(digests));
