// Finds accessibility faults of a page: axe violations, and anything that overflows sideways.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function findings(page) {
  await page.evaluate(AXE);
  const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  const wrong = result.violations.flatMap((v) =>
    v.nodes.map((n) => `${v.id}: ${n.target.join(' ')} ${n.failureSummary.split('\n')[1] ?? ''}`),
  );
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) wrong.push(`${wide} px too wide`);
  return wrong;
}

/** Returns the findings at each of these sizes. */
export async function findingsAtBothWidths(page, sizes) {
  const wrong = [];
  for (const size of sizes) {
    await page.setViewportSize(size);
    wrong.push(...(await findings(page)).map((text) => `${size.width} px: ${text}`));
  }
  await page.setViewportSize(sizes[0]);
  return wrong;
}
