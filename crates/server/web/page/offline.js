// The page for when the server cannot be reached, in the reader's language if the browser has it cached.

import { t } from './shared/words.js';

document.title = t('offline.page_title');
for (const part of document.querySelectorAll('[data-words]'))
  part.textContent = t(part.getAttribute('data-words') ?? '');
