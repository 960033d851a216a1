// Shows a line at the top of the page when a server's answer takes longer than expected.

/** Delay before the line appears: within it, nobody wonders whether a press was registered. */
const SOON_MS = 300;

let asked = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;

/**
 * Shows the line until the answer arrives, if that takes long.
 * @template T @param {Promise<T>} answer @returns {Promise<T>}
 */
export async function awaited(answer) {
  asked += 1;
  soon ??= setTimeout(() => document.documentElement.setAttribute('data-waits', ''), SOON_MS);
  try {
    return await answer;
  } finally {
    asked -= 1;
    if (!asked) {
      clearTimeout(soon);
      soon = undefined;
      document.documentElement.removeAttribute('data-waits');
    }
  }
}
