// A home below `100%&co` or `My Tools` must reach the service manager as it is: `%` begins a specifier of systemd, `&` an entity of XML.
// Node built-ins only: the shim bundles this file.

/** `text` inside the double quotes of a unit file. */
export function systemdText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%');
}

/** `text` between the tags of a property list. */
export function plistText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
