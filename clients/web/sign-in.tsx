// What somebody sees who has no session: nothing that is stored, and the one command that opens the page.
export function SignIn({ why }: { why: string | null }) {
  return (
    <main class="sign-in">
      <h1>Loci</h1>
      <p>This is Loci, the long-term memory of the coding agents on this machine.</p>
      {why !== null && (
        <p class="warning" role="alert">
          {why}
        </p>
      )}
      <p>To look into it, run this in a terminal:</p>
      <p>
        <code class="command">loci ui</code>
      </p>
      <p class="muted">It opens this page with an address that works once. Nothing is shown without it.</p>
    </main>
  );
}
