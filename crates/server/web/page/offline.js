// The page for when the house cannot be reached, in the language of whoever reads it, if the browser has kept it.

import { t } from './words.js';

document.title = t('offline.page_title');
for (const part of document.querySelectorAll('[data-words]'))
  part.textContent = t(part.getAttribute('data-words') ?? '');
