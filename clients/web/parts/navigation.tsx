import { signOut } from '../api.ts';
import { hrefOf, route } from '../route.ts';
import { session } from '../session.ts';
import { views } from '../views.tsx';
import { helpOpen } from './help.tsx';
import { nextTheme, theme } from './theme.ts';

export function Navigation() {
  const now = session.value;
  const here = route.value.view;
  return (
    <header class="bar">
      <a class="brand" href={hrefOf('search')}>
        Loci
      </a>
      <nav aria-label="Views">
        <ul>
          {views
            .filter((view) => view.listed)
            .map((view) => (
              <li key={view.name}>
                <a href={hrefOf(view.name)} aria-current={view.name === here ? 'page' : undefined}>
                  {view.title}
                </a>
              </li>
            ))}
        </ul>
      </nav>
      <div class="bar-end">
        <button type="button" class="quiet" onClick={nextTheme} title="Colours: system, light, dark">
          Colours: {theme.value}
        </button>
        <button
          type="button"
          class="quiet"
          onClick={() => {
            helpOpen.value = true;
          }}
        >
          Keys <kbd>?</kbd>
        </button>
        {now.signedIn && now.state.transport === 'tcp' && (
          <button type="button" class="quiet" onClick={() => void leave()}>
            Sign out
          </button>
        )}
      </div>
    </header>
  );
}

async function leave(): Promise<void> {
  await signOut().catch(() => undefined);
  session.value = { signedIn: false, why: 'You have signed out.' };
}
