// Generates what @graphql-codegen's client preset, gql.tada and the Relay compiler make of the schema.
import { codegen } from '@graphql-codegen/core';
import { preset } from '@graphql-codegen/client-preset';
import { buildASTSchema, parse } from 'graphql';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
process.chdir(here);
rmSync('generated', { recursive: true, force: true });
mkdirSync('generated/codegen', { recursive: true });
mkdirSync('generated/relay');

copyFileSync('../../../schema.graphql', 'schema.graphql');
const settings = JSON.parse(readFileSync('codegen.json', 'utf8'));
const [[folder, { config }]] = Object.entries(settings.generates);

const schema = parse(readFileSync(settings.schema, 'utf8'));
const documents = settings.documents.flatMap((location) =>
  [...readFileSync(location, 'utf8').matchAll(/graphql\(`([^`]*)`\)/g)].map(([, text]) => ({
    location,
    document: parse(text),
    rawSDL: text,
  })),
);
const wanted = await preset.buildGeneratesSection({
  baseOutputDir: folder,
  schema,
  schemaAst: buildASTSchema(schema),
  documents,
  config,
  presetConfig: {},
  plugins: [],
  pluginMap: {},
});
for (const one of wanted) {
  writeFileSync(one.filename, await codegen(one));
}

const run = (program, ...args) =>
  execFileSync(process.execPath, [program, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
run('../node_modules/gql.tada/bin/cli.js', 'generate-output');
run('../node_modules/relay-compiler/cli.js', 'relay.config.json');
run('../node_modules/typescript/bin/tsc', '--project', 'tsconfig.json');
