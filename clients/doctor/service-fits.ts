import { installService } from '#clients/service/install-service.ts';
import { serviceStatus } from '#clients/service/service-status.ts';
import { broken, type Check, ok } from './check.ts';

/** Only where a service is installed: none is needed. */
export const serviceFits: Check = {
  about: 'service',
  run(deps) {
    const { installed, problems, state, manager } = serviceStatus(deps);
    if (!installed) return [];
    if (problems.length === 0) return [ok('service', `${manager}, ${state}`)];
    return problems.map(({ problem, fix }) =>
      fix === 'loci service install'
        ? broken('service', problem, fix, async () => {
            await installService(deps);
          })
        : broken('service', problem, fix),
    );
  },
};
