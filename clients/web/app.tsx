// The frame: who has no session is told how to get one; everybody else gets the views, the keys and the messages.
import { useEffect } from 'preact/hooks';
import { undoLast } from './actions.ts';
import { followEvents } from './live.ts';
import { Help, helpOpen } from './parts/help.tsx';
import { addLastKeys, listenForKeys } from './parts/keys.ts';
import { Messages } from './parts/messages.tsx';
import { Navigation } from './parts/navigation.tsx';
import { goTo, hrefOf, route } from './route.ts';
import { session } from './session.ts';
import { SignIn } from './sign-in.tsx';
import { viewOf } from './views.tsx';

export function App() {
  const now = session.value;
  useEffect(() => {
    const stop = listenForKeys();
    const take = addLastKeys({
      '?': () => {
        helpOpen.value = true;
      },
      u: undoLast,
      '/': () => goTo(hrefOf('search')),
    });
    return () => {
      take();
      stop();
    };
  }, []);
  useEffect(() => (now.signedIn ? followEvents() : undefined), [now.signedIn]);
  if (!now.signedIn) return <SignIn why={now.why} />;
  const { title, View } = viewOf(route.value.view);
  return (
    <>
      <button type="button" class="skip" onClick={skipToMain}>
        Skip to the content
      </button>
      <Navigation />
      <main id="main" tabIndex={-1} aria-label={title}>
        <View />
      </main>
      <Messages />
      {helpOpen.value && <Help />}
    </>
  );
}

/** No link: `#main` would be an address of a view. */
function skipToMain(): void {
  document.getElementById('main')?.focus();
}
