// A proxy between browser and house that can cut the connection or add latency.

import net from 'node:net';

export async function openWire(house) {
  const { hostname, port } = new URL(house.url);
  const ends = new Set();
  let cut = false;
  let late = 0;
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
      a.on('data', (part) => (late ? setTimeout(() => b.destroyed || b.write(part), late) : b.write(part)));
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
