// Makes dist/loci-vscode.vsix: a zip of the manifest, one bundled file, icon, README and licence, with the two files that the format wants.
// Written here because the format is that small, and because a build must need no network. The same bytes come out of the same sources.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32, deflateRawSync } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = `${root}/clients/editors/vscode`;
const out = `${root}/dist/loci-vscode.vsix`;

const bundle = await build({
  absWorkingDir: root,
  entryPoints: ['clients/editors/vscode/extension.ts'],
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
  minifySyntax: true,
  legalComments: 'none',
  write: false,
});

const { version } = JSON.parse(read(`${root}/package.json`));
const manifest = { ...JSON.parse(read(`${source}/manifest.json`)), version };
mkdirSync(`${root}/dist`, { recursive: true });
writeFileSync(
  out,
  zip([
    ['[Content_Types].xml', contentTypes()],
    ['extension.vsixmanifest', vsixManifest(manifest)],
    ['extension/package.json', `${JSON.stringify(manifest, null, 2)}\n`],
    ['extension/extension.cjs', bundle.outputFiles[0].text],
    ['extension/media/loci.svg', read(`${source}/media/loci.svg`)],
    ['extension/README.md', read(`${source}/README.md`)],
    ['extension/LICENSE.txt', read(`${root}/LICENSE`)],
  ]),
);
console.error(out); // stdout is `npm pack --json`'s

function read(file) {
  return readFileSync(file, 'utf8');
}

function contentTypes() {
  const types = {
    json: 'application/json',
    cjs: 'application/javascript',
    svg: 'image/svg+xml',
    md: 'text/markdown',
    txt: 'text/plain',
    vsixmanifest: 'text/xml',
  };
  const lines = Object.entries(types).map(([name, type]) => `  <Default Extension=".${name}" ContentType="${type}"/>`);
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
${lines.join('\n')}
</Types>
`;
}

function vsixManifest({ name, publisher, version: own, displayName, description, engines, extensionKind }) {
  const property = (id, value) => `      <Property Id="Microsoft.VisualStudio.Code.${id}" Value="${value}"/>`;
  const asset = (type, path) => `    <Asset Type="Microsoft.VisualStudio.${type}" Path="${path}" Addressable="true"/>`;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${own}" Publisher="${publisher}"/>
    <DisplayName>${displayName}</DisplayName>
    <Description xml:space="preserve">${description}</Description>
    <Categories>Other</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>
${property('Engine', engines.vscode)}
${property('ExtensionKind', extensionKind.join(','))}
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
${asset('Code.Manifest', 'extension/package.json')}
${asset('Services.Content.Details', 'extension/README.md')}
${asset('Services.Content.License', 'extension/LICENSE.txt')}
  </Assets>
</PackageManifest>
`;
}

/** A zip of `[name, text]` entries, deflated, all dated 1980 so that it is the same each time. */
function zip(entries) {
  const locals = [];
  const directory = [];
  let offset = 0;
  for (const [name, text] of entries) {
    const raw = Buffer.from(text);
    const packed = deflateRawSync(raw, { level: 9 });
    const label = Buffer.from(name);
    // version 2.0, UTF-8 names, deflate, time 0, 1 January 1980, then checksum, sizes and length of the name
    const common = Buffer.alloc(26);
    for (const [at, value] of [
      [0, 20],
      [2, 0x0800],
      [4, 8],
      [6, 0],
      [8, 0x21],
      [22, label.length],
    ])
      common.writeUInt16LE(value, at);
    for (const [at, value] of [
      [10, crc32(raw)],
      [14, packed.length],
      [18, raw.length],
    ])
      common.writeUInt32LE(value, at);
    const local = Buffer.concat([signature(0x04034b50), common, label, packed]);
    const place = Buffer.alloc(14); // comment, disk, attributes: none; then where the entry is
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([signature(0x02014b50), Buffer.from([20, 0]), common, place, label]));
    locals.push(local);
    offset += local.length;
  }
  const sizes = Buffer.alloc(18);
  for (const at of [4, 6]) sizes.writeUInt16LE(entries.length, at);
  sizes.writeUInt32LE(Buffer.concat(directory).length, 8);
  sizes.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...directory, signature(0x06054b50), sizes]);
}

function signature(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
