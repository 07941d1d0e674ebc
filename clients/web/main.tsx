// The page starts here: who looks is settled before anything is drawn, so that nothing flickers.
import { render } from 'preact';
import { hasKey } from './api.ts';
import { App } from './app.tsx';
import { changes } from './changes.ts';
import { applyTheme } from './parts/theme.ts';
import { followAddress, route } from './route.ts';
import { addressToWanted } from './search/address-to-wanted.ts';
import { find } from './search/find.ts';
import { startSession } from './session.ts';

applyTheme();
followAddress();
// the list of the first view is asked for together with who looks: one way there and back less before it stands there
if (hasKey() && route.value.view === 'search' && !location.hash.includes('code=')) {
  find(addressToWanted(route.value.query), changes.value);
}
await startSession();
const page = document.getElementById('page');
if (page !== null) {
  page.textContent = '';
  render(<App />, page);
}
