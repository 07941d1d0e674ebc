// `locid`: nothing here but the order lock first, app after. Signals, exit codes and the lock are in lifecycle/run-daemon.ts.
import { runDaemon } from './lifecycle/run-daemon.ts';

await runDaemon({
  argv: process.argv.slice(2),
  env: process.env,
  loadApp: () => import('./app.ts'),
  loadCheck: () => import('./check-store.ts'),
  loadMove: () => import('./move-store.ts'),
});
