// Puts what the Relay compiler has generated in place of the documents of a program, as a project's build does.
//
//   node relay.mjs PROGRAM ARTIFACTS
import { transformFileSync } from '@babel/core';
import { writeFileSync } from 'node:fs';

const [program, artifactDirectory] = process.argv.slice(2);
const { code } = transformFileSync(program, {
  configFile: false,
  plugins: [['relay', { eagerEsModules: true, artifactDirectory }]],
  parserOpts: { plugins: ['typescript'] },
});
writeFileSync(program, code);
