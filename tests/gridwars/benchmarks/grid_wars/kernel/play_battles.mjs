// Plays battles on the kernel outside Python. Used by Node.js as a module, and by a page that holds this text.
// @ts-check

/**
 * The digests of battles.
 *
 * @param {BufferSource} module the kernel's bytes
 * @param {{programs: string[], job: string}[]} battles in base64; in a job the programs have the numbers in which
 *   they are loaded, from 0
 */
export async function playBattles(module, battles) {
  const { instance } = await WebAssembly.instantiate(module, {});
  const { memory, input, output, load, unload, play } = /** @type {any} */ (instance.exports);

  /** @param {string} base64 */
  function write(base64) {
    const bytes = decode(base64);
    new Uint8Array(memory.buffer).set(bytes, input());
    return bytes.length;
  }

  return battles.map(({ programs, job }) => {
    unload();
    for (const program of programs) {
      const number = load(write(program));
      if (number < 0) throw new Error(`program refused: ${number}`);
    }
    write(job);
    if (play(1) !== 1) throw new Error("job refused");
    return new DataView(memory.buffer).getBigUint64(output() + 16, true).toString(16).padStart(16, "0");
  });
}

/** @param {string} base64 */
export function decode(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
