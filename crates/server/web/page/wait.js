// A sign that the house is being asked, for when its answer takes longer than anybody expects: a line at the top of the page.

/** So long nobody wonders whether a press was heard. */
const SOON_MS = 300;

let asked = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let soon;

/** Shows that something is awaited until this is there. @template T @param {Promise<T>} answer @returns {Promise<T>} */
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
