// The page starts here: who looks is settled before anything is drawn, so that nothing flickers.
import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './parts/theme.ts';
import { followAddress } from './route.ts';
import { startSession } from './session.ts';

applyTheme();
followAddress();
await startSession();
const page = document.getElementById('page');
if (page !== null) {
  page.textContent = '';
  render(<App />, page);
}
