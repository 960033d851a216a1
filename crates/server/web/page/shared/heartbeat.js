// The heartbeat of a socket: notices within five seconds that the server has vanished without closing it.

/** After this long without a message, the page asks whether the server is there. */
const QUIET_MS = 1500;
/** After this long without an answer, it is not; opening the socket may take longer. */
const SILENT_MS = 3000;
const OPENED_MS = 5000;
const TICK_MS = 250;

/**
 * Calls `lost`, once, if the socket does not open or the server stops answering.
 * @param {WebSocket} socket @param {() => void} lost
 */
export function watchSocket(socket, lost) {
  let heard = performance.now();
  /** Until when the server must answer; 0 if nothing was asked. */
  let until = heard + OPENED_MS;
  const ticking = setInterval(() => {
    const now = performance.now();
    if (until && now > until) {
      clearInterval(ticking);
      lost();
    } else if (!until && now - heard > QUIET_MS) {
      until = now + SILENT_MS;
      socket.send('{"type":"ping"}');
    }
  }, TICK_MS);
  const answered = () => {
    heard = performance.now();
    until = 0;
  };
  socket.addEventListener('open', answered);
  socket.addEventListener('message', answered);
  socket.addEventListener('close', () => clearInterval(ticking));
}
