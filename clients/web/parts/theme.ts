// Light and dark follow the system until the reader says otherwise.
import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const keyName = 'loci-theme';
const themes: readonly Theme[] = ['system', 'light', 'dark'];

export const theme = signal<Theme>(themes.find((one) => one === localStorage.getItem(keyName)) ?? 'system');

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme.value;
}

export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system';
  localStorage.setItem(keyName, theme.value);
  applyTheme();
}

/** Whether dark colours are shown now; a canvas has to ask. */
export function isDark(): boolean {
  if (theme.value !== 'system') return theme.value === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}
