// Sends an archive of any size in parts, and goes on with one that was interrupted. Without it the form sends small ones.
"use strict";
(() => {
  const form = document.getElementById("upload");
  const input = form.querySelector("input[type=file]");
  const button = form.querySelector("button");
  const bar = document.createElement("progress");
  const said = document.createElement("p");
  said.className = "facts";
  said.setAttribute("role", "status");
  bar.setAttribute("aria-label", "Upload");
  bar.hidden = true;
  form.append(bar, said);
  const TRIES = 6;

  // SHA-256 (FIPS 180-4) of a file that is read piece by piece; the browser's own needs all of it at once.
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;
  const K = Int32Array.from(primes, (p) => fraction(Math.cbrt(p)));

  class Sha256 {
    h = Int32Array.from(primes.slice(0, 8), (p) => fraction(Math.sqrt(p)));
    w = new Int32Array(64);
    rest = new Uint8Array(64);
    filled = 0;
    length = 0;

    block(data, at) {
      const { h, w } = this;
      for (let i = 0; i < 16; i++, at += 4)
        w[i] = (data[at] << 24) | (data[at + 1] << 16) | (data[at + 2] << 8) | data[at + 3];
      for (let i = 16; i < 64; i++) {
        const x = w[i - 15], y = w[i - 2];
        const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
        const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
        w[i] = (w[i - 16] + s0 + w[i - 7] + s1) | 0;
      }
      let [a, b, c, d, e, f, g, k] = h;
      for (let i = 0; i < 64; i++) {
        const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
        const t1 = (k + s1 + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
        const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
        const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
        k = g; g = f; f = e; e = (d + t1) | 0; d = c; c = b; b = a; a = (t1 + t2) | 0;
      }
      [a, b, c, d, e, f, g, k].forEach((value, i) => { h[i] = (h[i] + value) | 0; });
    }

    add(data) {
      this.length += data.length;
      let at = 0;
      if (this.filled) {
        at = Math.min(64 - this.filled, data.length);
        this.rest.set(data.subarray(0, at), this.filled);
        this.filled += at;
        if (this.filled < 64) return;
        this.block(this.rest, 0);
      }
      for (; at + 64 <= data.length; at += 64) this.block(data, at);
      this.rest.set(data.subarray(at));
      this.filled = data.length - at;
    }

    hex() {
      const bits = this.length * 8;
      const tail = new Uint8Array(((this.filled + 8) >> 6) * 64 + 64 - this.filled);
      tail[0] = 0x80;
      const view = new DataView(tail.buffer);
      view.setUint32(tail.length - 8, Math.floor(bits / 2 ** 32));
      view.setUint32(tail.length - 4, bits >>> 0);
      this.add(tail);
      return [...this.h].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
    }
  }

  const pause = (ms) => new Promise((done) => setTimeout(done, ms));

  async function post(address, fields) {
    const body = new FormData();
    body.append("csrf", form.elements.csrf.value);
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    for (let attempt = 1; ; attempt++) {
      try {
        const reply = await fetch(address, { method: "POST", body, headers: { Accept: "application/json" } });
        const found = await reply.json();
        if (reply.ok) return found;
        if (reply.status < 500 && reply.status !== 429) throw new Error(found.detail || found.title);
        if (attempt === TRIES) throw new Error("the service does not answer; choose the same file again to go on");
      } catch (error) {
        if (!(error instanceof TypeError || error instanceof SyntaxError) || attempt === TRIES) throw error;
      }
      said.textContent = "The connection was lost; trying again …";
      await pause(500 * 2 ** attempt);
    }
  }

  async function digest(file) {
    const sum = new Sha256();
    const step = 4 * 1024 * 1024;
    for (let at = 0; at < file.size; at += step) {
      sum.add(new Uint8Array(await file.slice(at, at + step).arrayBuffer()));
      bar.value = at / file.size;
    }
    return sum.hex();
  }

  async function send(file) {
    said.textContent = "Reading the file …";
    const sha256 = await digest(file);
    const fields = { organisation: form.elements.organisation.value, name: file.name, size: file.size, sha256 };
    const pack = await post("/packs/begin", fields);
    const missing = new Set(pack.missing);
    for (let number = 0; number < pack.parts; number++) {
      bar.value = number / pack.parts;
      if (!missing.has(number)) continue;
      said.textContent = `Sending part ${number + 1} of ${pack.parts} …`;
      const part = file.slice(number * pack.part_bytes, (number + 1) * pack.part_bytes);
      await post(`/packs/${pack.id}/parts/${number}`, { part: new File([part], "part") });
    }
    await post(`/packs/${pack.id}/check`, {});
    location.assign(`/packs/${pack.id}`);
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const file = input.files[0];
    if (!file) return;
    button.disabled = true;
    bar.hidden = false;
    try {
      await send(file);
    } catch (error) {
      said.textContent = `It was not sent: ${error.message}`;
      button.disabled = false;
      bar.hidden = true;
    }
  });
})();
