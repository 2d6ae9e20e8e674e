// What has changed in the schema since the last release, as graphql-inspector tells it. Fails on what may break a
// client, unless it was deprecated in the release before.
//
//   node schema-diff.mjs [REVISION]
import { CriticalityLevel, DiffRule, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

let base = process.argv[2];
if (!base) {
  try {
    base = git('describe', '--tags', '--abbrev=0').trim();
  } catch {
    console.log('There is no tag yet, so there is nothing to compare the schema with.');
    process.exit(0);
  }
}
const path = new URL('../../schema.graphql', import.meta.url);
const before = buildSchema(git('show', `${base}:./../../schema.graphql`));
const after = buildSchema(readFileSync(path, 'utf8'));
const changes = await diff(before, after, [DiffRule.suppressRemovalOfDeprecatedField, DiffRule.ignoreDescriptionChanges]);
const signs = {
  [CriticalityLevel.Breaking]: 'breaks  ',
  [CriticalityLevel.Dangerous]: 'may break',
  [CriticalityLevel.NonBreaking]: 'adds    ',
};
for (const { criticality, message } of changes) console.log(`${signs[criticality.level]}  ${message}`);
const breaking = changes.filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking);
console.log(`${changes.length} changes since ${base}, ${breaking.length} of them breaking`);
process.exit(breaking.length ? 1 : 0);
