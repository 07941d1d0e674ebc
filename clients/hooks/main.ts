import { runHook } from './run-hook.ts';

void runHook(process.argv.slice(2), process.env);
