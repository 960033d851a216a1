// A proxy between browser and house that can cut the connection, add latency, or fall silent.

import net from 'node:net';

export async function openWire(house) {
  let { hostname, port } = new URL(house.url);
  const ends = new Set();
  let cut = false;
  let late = 0;
  let silent = false;
  const server = net.createServer((near) => {
    if (cut) {
      near.destroy();
      return;
    }
    const far = net.connect(Number(port), hostname);
    for (const [a, b] of [
      [near, far],
      [far, near],
    ]) {
      ends.add(a);
      a.on('error', () => b.destroy());
      a.on('close', () => {
        ends.delete(a);
        b.destroy();
      });
      a.on('data', (part) => silent || (late ? setTimeout(() => b.destroyed || b.write(part), late) : b.write(part)));
    }
  });
  await new Promise((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    cut() {
      cut = true;
      ends.forEach((end) => end.destroy());
    },
    mend() {
      cut = false;
    },
    /** Serves new connections from another house; those that are open stay as they are. */
    lead(other) {
      ({ hostname, port } = new URL(other.url));
    },
    /** Delivers nothing from now on, and closes nothing, as if the machine behind it were stopped; or delivers again. */
    fallSilent(now = true) {
      silent = now;
    },
    /** Delays everything from now on by this much. */
    lengthen(ms) {
      late = ms;
    },
    close() {
      ends.forEach((end) => end.destroy());
      server.close();
    },
  };
}
