// Puts what the PDF reader loads by name beside the page: character maps of East
// Asian scripts, the standard fonts, colour profiles and the decoders of three
// picture formats. Nothing that runs scripts of a document is among it.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const folders: Record<string, RegExp> = {
  cmaps: /\.bcmap$|^LICENSE/,
  standard_fonts: /^Foxit.*\.pfb$|^LICENSE_FOXIT$/,
  iccs: /\.icc$|^LICENSE/,
  wasm: /^(jbig2|openjpeg|qcms_bg)\.wasm$|^LICENSE_(PDFJS_)?(JBIG2|OPENJPEG|QCMS)$/,
};

export function pdfFiles(): Plugin {
  return {
    name: 'pdf-files',
    apply: 'build',
    generateBundle() {
      const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
      for (const [folder, wanted] of Object.entries(folders)) {
        for (const name of readdirSync(join(root, folder)).filter((file) => wanted.test(file))) {
          this.emitFile({
            type: 'asset',
            fileName: `pdf/${folder}/${name}`,
            source: readFileSync(join(root, folder, name)),
          });
        }
      }
    },
  };
}
